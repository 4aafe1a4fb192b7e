// SPDX-License-Identifier: Apache-2.0
public import DBus

/// A systemd scope for a program that we start on behalf of another one: it survives its starter, and its resources are
/// not counted as the starter's.
///
/// Processes that the program started before the move stay behind, as with the desktops' own launchers.
public struct ProgramScope: Hashable, Sendable {
  /// The unit, named by the [convention of desktops](https://systemd.io/DESKTOP_ENVIRONMENTS/):
  /// `app-LAUNCHER-APPLICATION-RANDOM.scope`.
  public let unit: String
  /// Shown in lists of units.
  public let description: String

  /// A new scope for one start of an application.
  public init(of application: String, launcher: String = "suzu", description: String? = nil) {
    let random = String(UInt64.random(in: 1...UInt64.max), radix: 16)
    // systemd accepts 255 bytes, and an escaped byte takes four.
    let room = 255 - "app---.scope".utf8.count - Self.escaped(launcher).utf8.count - random.utf8.count
    var name = ""
    for (index, byte) in application.utf8.enumerated() {
      let next = Self.escaped(byte, isFirst: index == 0)
      if name.utf8.count + next.utf8.count > room { break }
      name += next
    }
    unit = "app-\(Self.escaped(launcher))-\(name)-\(random).scope"
    self.description = description ?? application
  }

  /// Moves a process into the scope. Returns false if there is no systemd or it refuses: the process runs on as it is.
  @discardableResult
  public func take(_ processID: Int32, on connection: Connection) async -> Bool {
    guard processID > 0 else { return false }
    let call = MethodCall(
      to: "org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager",
      "StartTransientUnit",
      [
        .string(unit), "fail",
        .array(
          of: Self.property,
          [
            Self.property("Description", .string(description)), Self.property("CollectMode", "inactive-or-failed"),
            Self.property("Slice", "app.slice"),
            Self.property("PIDs", .array(of: .uint32, [.uint32(UInt32(processID))])),
          ]),
        .array(of: .structure([.string, .array(Self.property)]), []),
      ],
      // Do not start a service manager for a session without one.
      startsService: false)
    return (try? await connection.call(call, limit: .seconds(5))) != nil
  }

  private static let property = ValueType.structure([.string, .variant])

  private static func property(_ name: String, _ value: Value) -> Value {
    .structure([.string(name), .variant(value)])
  }

  /// Escapes as `systemd-escape` does, where a dash stands for a slash.
  static func escaped(_ text: String) -> String {
    text.utf8.enumerated().map { escaped($1, isFirst: $0 == 0) }.joined()
  }

  private static func escaped(_ byte: UInt8, isFirst: Bool) -> String {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "_"):
      return String(Unicode.Scalar(byte))
    case UInt8(ascii: ".") where !isFirst: return "."
    default:
      let digits = Array("0123456789abcdef")
      return "\\x\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }
  }
}

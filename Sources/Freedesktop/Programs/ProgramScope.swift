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
    let properties: [UnitProperty] = [
      Pair("Description", .string(description)), Pair("CollectMode", "inactive-or-failed"), Pair("Slice", "app.slice"),
      Pair("PIDs", [UInt32(processID)].busValue),
    ]
    // Do not start a service manager for a session without one.
    let manager = RemoteObject(
      "org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", startsService: false)
    let job = try? await connection.call(
      Self.startTransientUnit, of: manager, unit, "fail", properties, [], limit: .seconds(5))
    return job != nil
  }

  /// `(sv)`
  private typealias UnitProperty = Pair<String, Value>
  private static let startTransientUnit = MethodDescription(
    "StartTransientUnit", in: ("name", String.self), ("mode", String.self), ("properties", [UnitProperty].self),
    ("aux", [Pair<String, [UnitProperty]>].self), out: ("job", ObjectPath.self))

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

// SPDX-License-Identifier: Apache-2.0

/// Something other than a date that a request may wait for: a subject, and the change of it that counts.
///
/// A condition that exists is valid. Equal conditions have equal texts.
public struct Condition: Hashable, Sendable {
  /// What is observed.
  public let subject: Subject
  /// Which change counts.
  public let edge: Edge
  /// How long the new state must have lasted; nil if the change itself counts.
  public let hold: Duration?

  /// A change of a state.
  public enum Edge: String, Sendable, CaseIterable {
    /// It becomes true.
    case enter
    /// It becomes false.
    case leave
    /// Either.
    case change
  }

  /// What is observed.
  public enum Subject: Hashable, Sendable {
    /// A Wi-Fi network, by its SSID, is connected.
    case wifi(String)
    /// A network connection, by its name, is active.
    case network(String)
    /// The machine is within a circle.
    case place(Place)
    /// A beacon is near.
    case beacon(Beacon)
    /// The charge of the battery is below or above a level.
    case battery(BatteryLevel)
    /// The machine is connected to the mains.
    case power
    /// The session is unlocked.
    case unlocked
    /// There was no input for this long.
    case idle(Duration)
    /// The machine resumed from sleep.
    case awake
    /// A systemd unit is in a state.
    case unit(Unit)
    /// A file exists.
    case file(String)
    /// A file was written.
    case fileChange(String)
    /// A device with this property of udev is plugged in.
    case device(property: String, value: String)
    /// A signal of D-Bus came.
    case signal(SignalPattern)
  }

  /// A circle on the earth.
  public enum Place: Hashable, Sendable {
    /// One that the user has named.
    case named(String)
    /// Its centre in degrees, and its radius in metres.
    case circle(latitude: Double, longitude: Double, radius: Double)
  }

  /// The identity that a beacon sends; nil for any number.
  public struct Beacon: Hashable, Sendable {
    /// In the usual form, with upper-case digits.
    public let uuid: String
    /// The number of its group.
    public let major: Int?
    /// Its number within the group.
    public let minor: Int?

    package init(uuid: String, major: Int?, minor: Int?) {
      self.uuid = uuid
      self.major = major
      self.minor = minor
    }
  }

  /// A range of charges.
  public enum BatteryLevel: Hashable, Sendable {
    /// Less than so many percent.
    case below(Int)
    /// More than so many percent.
    case above(Int)
  }

  /// A unit of systemd in a state.
  public struct Unit: Hashable, Sendable {
    /// Its name, such as `backup.service`.
    public let name: String
    /// Its state.
    public let state: State
    /// Whether it belongs to the system, not to the user.
    public let isOfSystem: Bool

    /// The states of units.
    public enum State: String, Sendable, CaseIterable {
      /// It ended with an error.
      case failed
      /// It runs.
      case active
      /// It does not run.
      case inactive
    }

    package init(name: String, state: State, isOfSystem: Bool) {
      self.name = name
      self.state = state
      self.isOfSystem = isOfSystem
    }
  }

  /// The signals of D-Bus with a name, and optionally of a sender, an object and with some arguments.
  public struct SignalPattern: Hashable, Sendable {
    /// The interface.
    public let interface: String
    /// The name of the signal.
    public let member: String
    /// The name of the sender.
    public let sender: String?
    /// The path of the object.
    public let path: String?
    /// Texts of arguments, by index.
    public let arguments: [Int: String]
    /// Whether it comes on the system bus, not on the bus of the session.
    public let isOfSystem: Bool

    package init(
      interface: String, member: String, sender: String?, path: String?, arguments: [Int: String], isOfSystem: Bool
    ) {
      self.interface = interface
      self.member = member
      self.sender = sender
      self.path = path
      self.arguments = arguments
      self.isOfSystem = isOfSystem
    }
  }

  /// From parts that were checked before.
  package init(trusted subject: Subject, edge: Edge = .enter, hold: Duration? = nil) {
    self.subject = subject
    self.edge = edge
    self.hold = hold
  }

  /// Creates a condition, and checks it.
  public init(_ subject: Subject, _ edge: Edge = .enter, for hold: Duration? = nil) throws(RequestError) {
    // The text of a negative duration would be that of zero.
    if (hold ?? .zero) < .zero { throw RequestError("on", "must not have a negative duration") }
    // Written and read back, so that one check serves all formats.
    do throws(RequestError) {
      self = try Condition(Condition(trusted: subject, edge: edge, hold: hold).text)
    } catch {
      throw error.about("on")
    }
  }
}

extension Condition.Subject {
  /// Whether it is something that happens and not a state: it has no end, and cannot last.
  public var isEvent: Bool {
    switch self {
    case .awake, .fileChange, .signal: true
    case .wifi, .network, .place, .beacon, .battery, .power, .unlocked, .idle, .unit, .file, .device: false
    }
  }

  /// The keys of `{event.KEY}` that an event has, in addition to ``Condition/commonEventKeys``.
  public var eventKeys: [String] {
    switch self {
    case .wifi: ["ssid"]
    case .network: ["network"]
    case .place: ["place"]
    case .beacon: ["uuid", "major", "minor"]
    case .battery: ["percent"]
    case .power, .unlocked, .idle, .awake: []
    case .unit: ["unit", "state"]
    case .file, .fileChange: ["path", "name"]
    case .device: ["name", "ID_…"]
    case .signal: ["sender", "path", "arg0", "arg1", "…"]
    }
  }

  /// Whether an event may have this key.
  func hasEventKey(_ key: String) -> Bool {
    if eventKeys.contains(key) || Condition.commonEventKeys.contains(key) { return key != "…" && key != "ID_…" }
    switch self {
    case .device: return key.utf8.allSatisfy(\.isPropertyLetter)
    case .signal:
      guard key.hasPrefix("arg"), let number = Int(key.dropFirst(3)), 0...63 ~= number else { return false }
      return key == "arg\(number)"
    default: return false
    }
  }
}

extension Condition {
  /// The keys that every event has: the condition as a text, `enter` or `leave`, and `true` if it happened while the
  /// center did not run, otherwise nothing.
  public static let commonEventKeys = ["condition", "edge", "late"]
}

extension UInt8 {
  /// Whether a property of udev may have this letter in its name.
  var isPropertyLetter: Bool {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self
      || self == UInt8(ascii: "_")
  }
}

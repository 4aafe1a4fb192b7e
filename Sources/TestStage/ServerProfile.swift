// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop

/// How a real notification server behaves, as it was recorded: what it declares, draws, refuses and reports.
///
/// The profiles of known servers are values such as ``gnome48``. They were recorded from the servers of Debian 12 and
/// later, with their default settings; `docs/SERVERS.md` describes the same servers for users.
public struct ServerProfile: Sendable, Hashable, CustomStringConvertible {
  /// What a click on the notification itself does.
  public enum Click: Sendable, Hashable {
    /// Invokes the action `default`.
    case invokesDefault
    /// Invokes the action `default` even if it was not offered.
    case inventsDefault
    /// Closes the notification.
    case closes
    /// Does nothing.
    case nothing
  }

  /// How many notifications may be open, and what one more does.
  public struct Room: Sendable, Hashable {
    /// What one more notification does.
    public enum Overflow: Sendable, Hashable {
      /// It is refused with this error.
      case refuses(error: String, message: String)
      /// The server crashes.
      case crashes
      /// The oldest one is closed, with this reason.
      case closesOldest(reason: UInt32)
    }

    /// The maximum number.
    public var limit: Int
    /// Whether each app has that room for itself.
    public var isPerApp: Bool
    /// What one more does.
    public var overflow: Overflow

    /// The room for `limit` notifications.
    public init(_ limit: Int, isPerApp: Bool = false, _ overflow: Overflow) {
      self.limit = limit
      self.isPerApp = isPerApp
      self.overflow = overflow
    }
  }

  /// The name that the server reports.
  public var name: String
  /// Its vendor.
  public var vendor: String
  /// Its version.
  public var version: String
  /// The version of the specification that it says it implements.
  public var specification = "1.2"
  /// What it declares.
  public var capabilities: [String]
  /// The number of its first notification after a start.
  public var firstNumber: UInt32 = 1
  /// How many buttons it draws, apart from `default`; nil for all.
  public var buttons: Int?
  /// Whether it draws the action `default` as a button.
  public var drawsDefault = false
  /// What a click on the notification itself does.
  public var click = Click.invokesDefault
  /// Whether a token, with which a program may raise its window, comes before each click.
  public var givesTokens = false
  /// Whether a click on a button is followed by `default`.
  public var sendsDefaultAfterAction = false
  /// The reasons of the `NotificationClosed` signals that follow a click: none, one, or more.
  public var reasonsAfterClick: [UInt32] = [2]
  /// Whether a notification with the hint `resident` stays after a click.
  public var keepsResident = false
  /// The reasons of the signals that follow when the user dismisses it.
  public var reasonsAfterDismissal: [UInt32] = [2]
  /// The reasons of the signals that follow a `CloseNotification`.
  public var reasonsAfterClosing: [UInt32] = [3]
  /// Whether it reports as closed what it has never shown.
  public var closesUnknown = false
  /// The error with which it refuses to close what it does not show; nil if it accepts that.
  public var refusesToCloseUnknown: String?
  /// Whether it reports what expires.
  public var tellsOfExpiry = true
  /// Whether it accepts to replace a number that it has never assigned.
  public var believesNumbers = false
  /// The room for open notifications; nil if it is unlimited.
  public var room: Room?
  /// The error with which it refuses a text that it was sent within the last second; nil if it takes that.
  public var refusesRepetition: String?
  /// Whether the user can type a reply into the notification.
  public var takesReplies: Bool { capabilities.contains("inline-reply") }

  /// Its name and version.
  public var description: String { name + " " + version }

  /// A server that behaves as the specification says.
  public init(
    name: String = "scripted", vendor: String = "Suzu", version: String = "1",
    capabilities: [String] = ["actions", "body", "body-markup"]
  ) {
    self.name = name
    self.vendor = vendor
    self.version = version
    self.capabilities = capabilities
  }

  /// A recorded server: the facts that the center knows about this version, and what only a simulation needs to know.
  init(
    known name: String, _ vendor: String, _ version: String, _ capabilities: String,
    _ change: (inout ServerProfile) -> Void = { _ in }
  ) {
    self.init(
      name: name, vendor: vendor, version: version, capabilities: capabilities.split(separator: " ").map(String.init))
    let known = KnownServer(name, ServerVersion(version))
    buttons = self.capabilities.contains("actions") ? known.buttons : 0
    drawsDefault = known.drawsDefault
    click =
      switch known.press {
      case .counts: .invokesDefault
      // The left button, which most people use.
      case .middleCounts, .closes: .closes
      case .nothing: .nothing
      }
    sendsDefaultAfterAction = known.sendsDefaultAfterAction
    tellsOfExpiry = known.tellsOfExpiry && !known.keepsExpired
    if known.saysExpiredOfDismissed { reasonsAfterDismissal = [1] }
    if known.saysNothingOfDismissed { reasonsAfterDismissal = [0] }
    change(&self)
  }
}

// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// `dbus/dev.suzu.Center1.xml` documents the methods.
public import DBus

/// The methods of the center's interface.
public enum CenterMethods {
  public static let notify = MethodDescription("Notify", in: ("request", Properties.self), out: ("id", String.self))
  public static let ask = MethodDescription("Ask", in: ("request", Properties.self), out: ("id", String.self))
  public static let notifyMany = MethodDescription(
    "NotifyMany", in: ("requests", [Properties].self), out: ("ids", [String].self))
  public static let push = MethodDescription(
    "Push", in: ("app", String.self), ("payload", Properties.self), ("options", Properties.self),
    out: ("id", String.self))
  public static let cancel = MethodDescription(
    "Cancel", in: ("app", String.self), ("ids", [String].self), out: ("count", UInt32.self))
  public static let dismiss = MethodDescription(
    "Dismiss", in: ("app", String.self), ("ids", [String].self), out: ("count", UInt32.self))
  public static let acknowledge = MethodDescription(
    "Acknowledge", in: ("app", String.self), ("ids", [String].self), out: ("count", UInt32.self))
  public static let pending = list("Pending")
  public static let delivered = list("Delivered")
  public static let history = list("History")
  public static let clearHistory = MethodDescription(
    "ClearHistory", in: ("app", String.self), ("before", Int64.self), out: ("count", UInt32.self))
  public static let why = MethodDescription(
    "Why", in: ("app", String.self), ("id", String.self), ("limit", UInt32.self),
    out: ("requests", [Properties].self))
  public static let next = MethodDescription(
    "Next", in: ("request", Properties.self), ("count", UInt32.self), out: ("dates", [Int64].self))
  public static let respond = MethodDescription(
    "Respond", in: ("app", String.self), ("id", String.self), ("action", String.self),
    ("options", [String: Value].self))
  public static let watch = MethodDescription("Watch", in: ("enabled", Bool.self))
  public static let watchStored = MethodDescription("WatchStored", in: ("enabled", Bool.self))

  public static let setCategories = MethodDescription(
    "SetCategories", in: ("app", String.self), ("categories", [Properties].self))
  public static let categories = MethodDescription(
    "Categories", in: ("app", String.self), out: ("categories", [[String: Value]].self))

  public static let register = MethodDescription(
    "Register", in: ("app", String.self), ("types", [String].self), out: ("allowed", [String].self))
  public static let settings = MethodDescription(
    "Settings", in: ("app", String.self), out: ("settings", [String: Value].self))
  public static let apps = MethodDescription("Apps", out: ("apps", [[String: Value]].self))
  public static let allow = MethodDescription("Allow", in: ("app", String.self), ("types", [String].self))
  public static let configure = MethodDescription(
    "Configure", in: ("app", String.self), ("settings", [String: Value].self))
  public static let reset = MethodDescription("Reset", in: ("app", String.self))
  public static let setBadge = MethodDescription("SetBadge", in: ("app", String.self), ("number", UInt32.self))
  public static let badge = MethodDescription("Badge", in: ("app", String.self), out: ("number", UInt32.self))

  public static let places = MethodDescription("Places", out: ("places", [[String: Value]].self))
  public static let setPlaces = MethodDescription("SetPlaces", in: ("places", [[String: Value]].self))
  public static let position = MethodDescription(
    "Position", out: ("latitude", Double.self), ("longitude", Double.self), ("accuracy", Double.self))

  public static let mute = MethodDescription(
    "Mute", in: ("app", String.self), ("id", String.self), ("until", Int64.self))
  public static let mutes = MethodDescription("Mutes", out: ("mutes", [[String: Value]].self))

  public static let quiet = MethodDescription(
    "Quiet", in: ("app", String.self), out: ("quiet", [String: Value].self))
  public static let quietApps = MethodDescription("QuietApps", out: ("apps", [[String: Value]].self))
  public static let setQuiet = MethodDescription(
    "SetQuiet", in: ("app", String.self), ("changes", [String: Value].self))

  public static let follow = MethodDescription(
    "Follow", in: ("path", String.self), ("options", [String: Value].self), out: ("calendar", [String: Value].self))
  public static let unfollow = MethodDescription("Unfollow", in: ("path", String.self), out: ("count", UInt32.self))
  public static let calendars = MethodDescription("Calendars", out: ("calendars", [[String: Value]].self))

  public static let attach = MethodDescription("Attach", in: ("app", String.self))
  public static let detach = MethodDescription("Detach", in: ("app", String.self))
  public static let inFront = MethodDescription("InFront", in: ("app", String.self), ("inFront", Bool.self))
  public static let changesPushes = MethodDescription(
    "ChangesPushes", in: ("app", String.self), ("changes", Bool.self))
  public static let complete = MethodDescription(
    "Complete", in: ("response", UInt64.self), ("details", [String: Value].self))

  public static let outgoing = MethodDescription("Outgoing", out: ("outgoing", [[String: Value]].self))
  public static let takeOutgoing = MethodDescription(
    "TakeOutgoing", in: ("number", UInt64.self), out: ("message", [String: Value].self))
  public static let answered = MethodDescription(
    "Answered", in: ("app", String.self), ("push", String.self), ("name", String.self))
  public static let finishOutgoing = MethodDescription(
    "FinishOutgoing", in: ("number", UInt64.self), ("state", String.self), ("detail", String.self))

  /// A method that returns a page of a list, and where the next page begins.
  public typealias Listing = MethodDescription<(String, [String: Value]), ([Properties], String)>

  private static func list(_ name: MemberName) -> Listing {
    MethodDescription(
      name, in: ("app", String.self), ("options", [String: Value].self),
      out: ("requests", [Properties].self), ("next", String.self))
  }
}

/// The signals of the center's interface: one for each kind of ``CenterEvent``, and two that are no event of a request.
public enum CenterSignals {
  static let delivered = SignalDescription(
    "Delivered", ("app", String.self), ("id", String.self), ("details", [String: Value].self))
  static let responded = SignalDescription(
    "Responded", ("response", UInt64.self), ("app", String.self), ("id", String.self), ("action", String.self),
    ("details", [String: Value].self))
  static let closed = SignalDescription(
    "Closed", ("app", String.self), ("id", String.self), ("reason", String.self))
  static let outcome = SignalDescription("Outcome", ("response", UInt64.self), ("outcome", String.self))
  /// Sent to callers of `WatchStored` only; it is not an event of a request.
  static let changed = SignalDescription("Changed", ("what", String.self))
  /// A message waits to be sent; the signal goes to callers of `Outgoing` only.
  public static let outgoingWaiting = SignalDescription("OutgoingWaiting")
}

// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// What sets a notification server apart from others, as docs/MEASUREMENTS.md tells of the real ones. A desktop keeps
/// its server.
struct ServerManner {
  let name: String
  let version: String
  var capabilities: Set<Capability> = [.actions, .body, .sound]
  /// What a press on a button does to the notification.
  var press = Press.leaves
  /// The reason that it gives for what the user dismissed.
  var dismissed = ClosedReason.dismissed
  /// Whether it drops what has expired, and says so. If not, it keeps that in a list.
  var tellsOfExpiry = true
  /// Whether it ends what it shows when its sender leaves the bus.
  var endsWithSender = false
  /// Whether it refuses a text that it was sent within the last second.
  var refusesRepeats = false
  /// How many notifications it takes at a time.
  var room = Int.max
  /// The error with which it refuses one.
  var refusal = (name: "org.example.Error.Busy", message: "too many")
  /// Whether the center knows that such an error says nothing about the notification.
  var isForTheMoment = false

  enum Press {
    /// It stays until the center closes it.
    case leaves
    /// It ends right after the press, or right before it.
    case closes, closesFirst
  }

  private static let all = [
    ServerManner(
      name: "Plasma", version: "5.27.5", press: .closes, refusesRepeats: true, refusal: plasma, isForTheMoment: true),
    ServerManner(
      name: "Plasma", version: "6.5.0", press: .closes, tellsOfExpiry: false, endsWithSender: true,
      refusesRepeats: true, refusal: plasma, isForTheMoment: true),
    ServerManner(name: "Xfce Notify Daemon", version: "0.7.3", press: .closes),
    ServerManner(name: "lxqt-notificationd", version: "1.2.0", press: .closesFirst),
    ServerManner(name: "mako", version: "1.7.1"),
    ServerManner(name: "notify-osd", version: "1.0", capabilities: [.body]),
    ServerManner(name: "SwayNotificationCenter", version: "0.12.1", press: .closes, tellsOfExpiry: false),
    ServerManner(name: "cosmic-notifications", version: "0.1.0", tellsOfExpiry: false),
    ServerManner(
      name: "Notification Daemon", version: "1.26.0", press: .closes, dismissed: .expired, room: 21, refusal: mate,
      isForTheMoment: true),
  ]
  private static let plasma = (
    name: "org.freedesktop.Notifications.Error.ExcessNotificationGeneration", message: "Created too many similar"
  )
  private static let mate = (name: "org.gtk.GDBus.UnmappedGError", message: "Exceeded maximum number of notifications")

  /// One that does all that a server may.
  static let plain = ServerManner(name: "simulated", version: "1")

  /// The server of the desktop of a seed: half of them have a plain one.
  static func ofDesktop(_ seed: UInt64) -> ServerManner {
    var random = SeededRandom(seed, for: "server")
    return random.isTrue(in: 50) ? random.element(all) : plain
  }
}

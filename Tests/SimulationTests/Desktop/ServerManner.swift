// SPDX-License-Identifier: Apache-2.0
import SuzuTesting

/// What sets a notification server apart from others: the profile that was recorded of a real one, and what such a
/// profile does not tell. docs/MEASUREMENTS.md lists the servers. A desktop keeps its server.
struct ServerManner {
  var profile: ServerProfile
  /// Whether it reports the end of a notification right before the press that ended it.
  var closesFirst = false
  /// Whether it ends what it shows when its sender leaves the bus.
  var endsWithSender = false
  /// Whether a press ends all other notifications, unless they are `resident`.
  var endsOthersOnPress = false
  /// How many it draws; later ones it reports as expired at once. Nil for all.
  var drawn: Int?
  /// For how long after its start it draws nothing, in milliseconds, and reports all that comes as expired.
  var blindTime: Int64 = 0
  /// How soon after a notification it crashes if another one comes, in milliseconds.
  var rest: Int64 = 0
  /// After how many milliseconds it ends each notification, whatever its expiry; nil if it does not.
  var longest: Int64?
  /// Whether it keeps what has expired in a list, without a report, unless it is `transient`.
  var keepsExpired = false

  private init(_ profile: ServerProfile, _ change: (inout ServerManner) -> Void = { _ in }) {
    self.profile = profile
    change(&self)
  }

  /// One that does all that a server may.
  static let plain = ServerManner(ServerProfile(name: "simulated", capabilities: ["actions", "body", "sound"])) {
    $0.profile.reasonsAfterClick = []
  }

  /// The manners of the first scripts, which keep their places.
  private static let first = [
    ServerManner(.plasma5),
    plasma("6.5.0") { $0.endsWithSender = true },
    ServerManner(.xfce),
    ServerManner(.standard) { $0.closesFirst = true },
    ServerManner(.mako),
    ServerManner(.notifyOSD),
    ServerManner(.swaync) { $0.profile.version = "0.12.1" },
    ServerManner(.cosmic),
    ServerManner(.mate),
  ]

  private static let all =
    first + [
      ServerManner(.gnome43), ServerManner(.gnome48), ServerManner(.gnome50), plasma("6.7.4"), ServerManner(.plasma6),
      cinnamon("5.6.8", keeping: 10), cinnamon("6.6.9", keeping: 20), budgie("10.7.1"),
      budgie("10.10.3") { $0.blindTime = 900 }, ServerManner(.lxqt), ServerManner(.awesome),
      ServerManner(.dunst) { $0.profile.version = "1.12.2 (2025-03-14)" }, ServerManner(.dunst) { $0.rest = 50 },
      ServerManner(.mate) {
        $0.profile.version = "1.26.1"
        $0.profile.room = ServerProfile.Room(21, .crashes)
      },
      ServerManner(.notificationDaemon) { $0.keepsExpired = true },
    ]

  private static func plasma(_ version: String, _ change: (inout ServerManner) -> Void = { _ in }) -> ServerManner {
    ServerManner(.plasma6) {
      $0.profile.version = version
      $0.profile.tellsOfExpiry = false
      change(&$0)
    }
  }

  private static func cinnamon(_ version: String, keeping limit: Int) -> ServerManner {
    ServerManner(.cinnamon) {
      $0.profile.version = version
      $0.profile.room = ServerProfile.Room(limit, isPerApp: true, .closesOldest(reason: 2))
      $0.profile.keepsResident = true
      $0.endsOthersOnPress = true
    }
  }

  private static func budgie(_ version: String, _ change: (inout ServerManner) -> Void = { _ in }) -> ServerManner {
    let profile = ServerProfile(
      name: "Budgie Notification Server", vendor: "Budgie Desktop Developers", version: version,
      capabilities: ["actions", "action-icons", "body", "body-markup"])
    return ServerManner(profile) {
      $0.profile.sendsDefaultAfterAction = true
      $0.drawn = 3
      $0.longest = 9_000
      change(&$0)
    }
  }

  /// The server of the desktop of a seed: half of them have a plain one.
  static func ofDesktop(_ seed: UInt64, onlyFirst: Bool = false) -> ServerManner {
    var random = SeededRandom(seed, for: "server")
    return random.isTrue(in: 50) ? random.element(onlyFirst ? first : all) : plain
  }

  /// The server with this name and version.
  static func named(_ description: String) -> ServerManner? { all.first { $0.profile.description == description } }
}

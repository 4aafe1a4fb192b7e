// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// Settings of a notification server that change what it shows, and that its own interface does not report.
public struct ServerSettings: Hashable, Sendable {
  /// Whether *Do not disturb* is on; nil if the server does not tell.
  public var isQuiet: Bool?
  /// Whether the user has turned on title and text beside the bar of a progress.
  public var drawsTextsOfProgress = false

  /// Settings that are not known.
  public init() {}

  /// Asks the server of this name, or the program that stores its settings. A setting that cannot be read is unknown.
  static func ask(
    _ name: String, _ owner: BusName, on connection: Connection, limit: Duration
  ) async -> ServerSettings {
    var settings = ServerSettings()
    func flag(_ interface: String, _ property: String) async -> Bool? {
      let object = RemoteObject(
        owner, NotificationsBus.path, StandardInterfaces.properties, startsService: false)
      return try? await connection.call(StandardInterfaces.get, of: object, interface, property, limit: limit).boolean
    }
    switch name {
    case "Xfce Notify Daemon":
      settings.isQuiet = await xfce("/do-not-disturb", connection, limit) ?? false
      settings.drawsTextsOfProgress = await xfce("/show-text-with-gauge", connection, limit) ?? false
    case "Plasma": settings.isQuiet = await flag(NotificationsBus.interface.text, "Inhibited")
    case "dunst": settings.isQuiet = await flag("org.dunstproject.cmd0", "paused")
    case "mako":
      // Its user names the modes; these are the names in its manual, and the usual one.
      let mako = RemoteObject(owner, "/fr/emersion/Mako", "fr.emersion.Mako", startsService: false)
      settings.isQuiet = (try? await connection.call(listModes, of: mako, limit: limit))
        .map { !makosQuietModes.isDisjoint(with: $0) }
    case "SwayNotificationCenter":
      let panel = RemoteObject(
        owner, "/org/erikreider/swaync/cc", "org.erikreider.swaync.cc", startsService: false)
      settings.isQuiet = try? await connection.call(getDND, of: panel, limit: limit)
    default: break
    }
    return settings
  }

  /// A property of xfce4-notifyd; nil if it has never been set, or nothing stores settings.
  private static func xfce(_ property: String, _ connection: Connection, _ limit: Duration) async -> Bool? {
    let object = RemoteObject("org.xfce.Xfconf", "/org/xfce/Xfconf", "org.xfce.Xfconf", startsService: false)
    return try? await connection.call(getProperty, of: object, "xfce4-notifyd", property, limit: limit).boolean
  }

  private static let makosQuietModes: Set<String> = ["do-not-disturb", "dnd"]
  private static let listModes = MethodDescription("ListModes", out: ("modes", [String].self))
  private static let getDND = MethodDescription("GetDnd", out: ("on", Bool.self))

  private static let getProperty = MethodDescription(
    "GetProperty", in: ("channel", String.self), ("property", String.self), out: ("value", Value.self))
}

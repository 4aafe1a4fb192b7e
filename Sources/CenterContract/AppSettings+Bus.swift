// SPDX-License-Identifier: Apache-2.0
public import DBus
public import NotificationModel

/// `Settings` returns the properties without the app, `Apps` with it.
extension AppSettings {
  /// The settings as an `a{sv}`, without the app.
  public var properties: [String: Value] {
    [
      "asked": .strings(NoticeKind.texts(asked)), "allowed": .strings(NoticeKind.texts(allowed)),
      "denied": .strings(NoticeKind.texts(denied)), "decided": .boolean(isDecided),
      "deliver": .strings(delivery?.texts ?? []), "away": .string(away.rawValue),
      "previews": .string(previews.rawValue),
    ]
  }

  /// Reads an `a{sv}`; kinds that this version does not know are dropped.
  ///
  /// - Parameter app: the app if the properties do not name it.
  public init(_ properties: [String: Value], of app: String) {
    func kinds(_ key: String) -> Set<NoticeKind> {
      Set((properties[key]?.strings ?? []).compactMap(NoticeKind.init))
    }
    self.init(
      app: properties["app"]?.string ?? app, asked: kinds("asked"), allowed: kinds("allowed"),
      isDecided: properties["decided"]?.boolean ?? false)
    denied = kinds("denied")
    delivery = try? DeliveryTimes(properties["deliver"]?.strings ?? [])
    away = properties["away"]?.string.flatMap(AwayRule.init) ?? .show
    previews = properties["previews"]?.string.flatMap(Previews.init) ?? .always
  }
}

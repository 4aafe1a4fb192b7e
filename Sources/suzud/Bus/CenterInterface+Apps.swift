// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel

extension CenterInterface {
  static func appMethods(of center: Center) -> [Method] {
    [
      method("Register", in: ["app": "s", "types": "as"], out: ["allowed": "as"]) { call in
        let (app, kinds) = try appAndKinds(call)
        let rights = await center.rights(of: Caller(call.sender))
        try rights.check(app)
        return [.strings(NoticeKind.texts(try await center.register(app, kinds, mustAsk: rights != .all)))]
      },
      method("Settings", in: ["app": "s"], out: ["settings": "a{sv}"]) { call in
        guard case .string(let app) = call.arguments[0] else { throw mismatch }
        try await center.rights(of: Caller(call.sender)).check(try appName(app))
        return [.properties(await center.settings(of: app).properties)]
      },
      method("Apps", out: ["apps": "aa{sv}"]) { call in
        try await center.rights(of: Caller(call.sender)).checkAll("the list of apps")
        let rows = await center.appSettings.map { settings in
          Value.properties(settings.properties.merging(["app": .string(settings.app)]) { $1 })
        }
        return [.array(of: .properties, rows)]
      },
      method("Allow", in: ["app": "s", "types": "as"]) { call in
        let (app, kinds) = try appAndKinds(call)
        try await center.rights(of: Caller(call.sender)).checkAll("changing what apps may do")
        try await center.allow(app, kinds)
        return []
      },
    ]
  }

  private static func appAndKinds(
    _ call: IncomingCall
  ) throws -> (app: String, kinds: Set<NoticeKind>) {
    guard case .string(let app) = call.arguments[0], let texts = call.arguments[1].strings else { throw mismatch }
    var kinds: Set<NoticeKind> = []
    for (index, text) in texts.enumerated() {
      guard let kind = NoticeKind(rawValue: text) else {
        let known = NoticeKind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        throw CenterError(.invalidRequest, "'types[\(index)]' must be one of \(known), not '\(DisplayText.line(text))'")
      }
      kinds.insert(kind)
    }
    return (try appName(app), kinds)
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import NotificationModel

extension CenterInterface {
  static func appMethods(of center: Center) -> [Method] {
    [
      Method("Register", in: ["app": "s", "types": "as"], out: ["allowed": "as"]) { call in
        let (app, kinds) = try appAndKinds(call)
        let rights = await center.rights(of: call.sender)
        try rights.check(app)
        return [.strings(try await center.register(app, kinds, mustAsk: rights != .all))]
      },
      Method("Settings", in: ["app": "s"], out: ["settings": "a{sv}"]) { call in
        guard case .string(let app) = call.arguments[0] else { throw mismatch }
        try await center.rights(of: call.sender).check(try appName(app))
        return [.properties(await center.settings(of: app))]
      },
      Method("Apps", out: ["apps": "aa{sv}"]) { call in
        try await center.rights(of: call.sender).checkAll("the list of apps")
        return [.array(of: .properties, await center.appSettings)]
      },
      Method("Allow", in: ["app": "s", "types": "as"]) { call in
        let (app, kinds) = try appAndKinds(call)
        try await center.rights(of: call.sender).checkAll("changing what apps may do")
        try await center.allow(app, kinds)
        return []
      },
    ]
  }

  private static func appAndKinds(
    _ call: IncomingCall
  ) throws(RemoteError) -> (app: String, kinds: Set<AppSettings.Kind>) {
    guard case .string(let app) = call.arguments[0], let texts = call.arguments[1].strings else { throw mismatch }
    var kinds: Set<AppSettings.Kind> = []
    for (index, text) in texts.enumerated() {
      guard let kind = AppSettings.Kind(rawValue: text) else {
        let known = AppSettings.Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        throw RemoteError(invalidRequest, "'types[\(index)]' must be one of \(known), not '\(DisplayText.line(text))'")
      }
      kinds.insert(kind)
    }
    return (try appName(app), kinds)
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel

extension CenterInterface {
  static func appMethods(of center: CenterService) -> [Method] {
    [
      Method(CenterMethods.register) { _, app, types, call in
        let kinds = try kinds(types)
        let app = try newAppName(app)
        let rights = await center.rights(of: Caller(call.sender))
        try rights.check(app)
        return NoticeKind.texts(try await center.register(app, kinds, mustAsk: rights != .all))
      },
      Method(CenterMethods.settings) { _, app, call in
        try await center.rights(of: Caller(call.sender)).check(try appName(app))
        return await center.settings(of: app).properties
      },
      Method(CenterMethods.apps) { _, call in
        try await center.rights(of: Caller(call.sender)).checkAll("the list of apps")
        return await center.appSettings.map { settings in
          settings.properties.merging(["app": .string(settings.app)]) { $1 }
        }
      },
      Method(CenterMethods.allow) { _, app, types, call in
        let kinds = try kinds(types)
        let app = try newAppName(app)
        try await center.rights(of: Caller(call.sender)).checkAll("changing what apps may do")
        try await center.allow(app, kinds)
      },
      Method(CenterMethods.configure) { _, app, settings, call in
        let app = try newAppName(app)
        try await center.rights(of: Caller(call.sender)).checkAll("changing the settings of apps")
        try await center.configure(try changed(await center.settings(of: app), settings))
      },
      Method(CenterMethods.reset) { _, app, call in
        let app = try appName(app)
        try await center.rights(of: Caller(call.sender)).checkAll("changing what apps may do")
        try await center.reset(app)
      },
      Method(CenterMethods.setBadge) { _, app, number, call in
        let app = try newAppName(app)
        try await center.rights(of: Caller(call.sender)).check(app)
        try await center.setBadge(number, of: app)
      },
      Method(CenterMethods.badge) { _, app, call in
        let app = try appName(app)
        try await center.rights(of: Caller(call.sender)).check(app)
        return await center.badge(of: app)
      },
    ]
  }

  static func changed(_ settings: AppSettings, _ words: [String: Value]) throws(CenterError) -> AppSettings {
    var settings = settings
    for (key, value) in words.sorted(by: { $0.key < $1.key }) {
      switch key {
      case "deliver":
        guard let times = value.strings else {
          throw CenterError(.invalidRequest, "'deliver' must be a list of times of day such as '12:30'")
        }
        do throws(RequestError) { settings.delivery = times.isEmpty ? nil : try DeliveryTimes(times) } catch {
          throw CenterError(.invalidRequest, error.description)
        }
      case "away":
        guard let rule = value.string.flatMap(AwayRule.init) else {
          throw CenterError(.invalidRequest, "'away' must be 'show', 'keep' or 'hold'")
        }
        settings.away = rule
      case "previews":
        guard let previews = value.string.flatMap(Previews.init) else {
          let known = Previews.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
          throw CenterError(.invalidRequest, "'previews' must be one of \(known)")
        }
        settings.previews = previews
      default: throw CenterError(.invalidRequest, "'\(DisplayText.line(key))' is not one of away, deliver and previews")
      }
    }
    return settings
  }

  static func kinds(_ texts: [String]) throws(CenterError) -> Set<NoticeKind> {
    var kinds: Set<NoticeKind> = []
    for (index, text) in texts.enumerated() {
      guard let kind = NoticeKind(rawValue: text) else {
        let known = NoticeKind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        throw CenterError(.invalidRequest, "'types[\(index)]' must be one of \(known), not '\(DisplayText.line(text))'")
      }
      kinds.insert(kind)
    }
    return kinds
  }
}

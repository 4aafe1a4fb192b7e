// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel

extension CenterInterface {
  static func calendarMethods(of center: CenterService) -> [Method] {
    [
      Method(CenterMethods.follow, bounds: .path) { _, path, options, call in
        try await center.rights(of: Caller(call.sender)).checkAll("following a calendar")
        return try await center.follow(try calendar(path, options)).plain.mapValues { Value($0) }
      },
      Method(CenterMethods.unfollow, bounds: .path) { _, path, call in
        try await center.rights(of: Caller(call.sender)).checkAll("following a calendar")
        return UInt32(clamping: try await center.unfollow(path))
      },
      Method(CenterMethods.calendars) { _, call in
        try await center.rights(of: Caller(call.sender)).checkAll("the list of calendars")
        return await center.calendars().map { $0.plain.mapValues { Value($0) } }
      },
    ]
  }

  static func calendar(_ path: String, _ options: [String: Value]) throws(CenterError) -> FollowedCalendar {
    if let unknown = options.keys.sorted().first(where: { !["app", "skip", "trust"].contains($0) }) {
      throw CenterError(.invalidRequest, "'\(DisplayText.line(unknown))' is not one of app, skip and trust")
    }
    var words = options.compactMapValues { PlainValue($0) }
    words["path"] = .text(path)
    do throws(RequestError) {
      let calendar = try FollowedCalendar(words)
      try AppID.checkAsNew(calendar.app)
      return calendar
    } catch {
      throw CenterError(.invalidRequest, error.description)
    }
  }
}

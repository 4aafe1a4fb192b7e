// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
public import NotificationModel

extension Center {
  /// The calendars that the center follows, by path.
  public func followedCalendars() async throws(SuzuError) -> [FollowedCalendar] {
    try await call(CenterMethods.calendars, limit: Self.readingLimit).compactMap { try? Self.calendar($0) }
  }

  /// Follows a calendar, or follows it in another way; returns once its alarms are pending.
  public func follow(_ calendar: FollowedCalendar) async throws(SuzuError) -> FollowedCalendar {
    let words = calendar.plain.filter { ["app", "skip", "trust"].contains($0.key) }
    let answer = try await call(
      CenterMethods.follow, calendar.path, words.mapValues { Value($0) }, limit: Self.readingLimit)
    return (try? Self.calendar(answer)) ?? calendar
  }

  /// Stops following a calendar, and cancels its pending requests; returns how many.
  public func unfollow(_ path: String) async throws(SuzuError) -> Int {
    Int(try await call(CenterMethods.unfollow, path, limit: Self.readingLimit))
  }

  private static func calendar(_ words: [String: Value]) throws(RequestError) -> FollowedCalendar {
    try FollowedCalendar(words.compactMapValues { PlainValue($0) })
  }

  /// Other calendars may be read first.
  private static var readingLimit: Duration { .seconds(600) }
}

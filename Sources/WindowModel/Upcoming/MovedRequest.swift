// SPDX-License-Identifier: Apache-2.0
package import NotificationModel
package import Zoneinfo

/// A request of one date at another time, as `suzu edit --at` would store it.
package struct MovedRequest: Equatable, Sendable {
  /// Where it is moved to.
  package enum Move: Equatable, Sendable {
    /// The same time of day, so many days later.
    case days(Int)
    case hours(Int)
    /// The day of this instant, at the same time of day.
    case day(Instant)
    case instant(Instant)
    /// The same minute of another day and hour.
    case hour(CivilDate, Int)
  }

  /// Why it cannot be moved, as a sentence for the user.
  package struct Problem: Error, Equatable {
    package let text: String
  }

  /// When it comes now.
  package let next: Instant
  /// The keys to store.
  package let words: [String: PlainValue]

  /// - Parameter from: when the request comes, if that is known to be later than its row says.
  package init(
    _ row: UpcomingRow, _ move: Move, from: Instant? = nil, _ clock: LocalClock
  ) throws(Problem) {
    let title = ShownText.isolated(row.title, atMost: 60)
    guard let start = from ?? row.next else { throw Problem(text: "\(title) has no date to move") }
    let request = row.request
    // What an app asked for, with its rights, would be asked for anew by the user, with all rights.
    guard request.app == NotificationRequest.defaultApp else {
      throw Problem(text: "\(title) belongs to \(ShownText.isolated(request.app, atMost: 60)), which sets its time")
    }
    let repeats = request.text(of: "every") != nil || request.text(of: "rule") != nil
    guard !repeats, request.words["repeat"] != .flag(true) else {
      throw Problem(text: "\(title) repeats; change all its dates with 'suzu edit'")
    }
    guard request.text(of: "on") == nil else { throw Problem(text: "\(title) waits for a condition, not for a time") }
    guard request.words["zone"] == nil else {
      throw Problem(text: "\(title) has a time in another zone; change it with 'suzu edit'")
    }
    guard let next = Self.target(move, start, clock) else { throw Problem(text: "\(title) cannot be moved so far") }
    if next == start { throw Problem(text: "\(title) is there already") }
    if next.seconds <= clock.now.seconds { throw Problem(text: "\(clock.day(next)) \(clock.time(next)) has passed") }
    self.next = next
    words = Self.words(of: request, at: next, clock)
  }

  /// The request as it was, to undo this. A delay began when the request was made, so it has become a date.
  package static func original(_ row: UpcomingRow, _ clock: LocalClock) -> [String: PlainValue] {
    let words = ListingKey.request(in: row.request.words)
    guard words["in"] != nil, let next = row.next else { return words }
    return Self.words(of: row.request, at: next, clock)
  }

  private static func target(_ move: Move, _ start: Instant, _ clock: LocalClock) -> Instant? {
    switch move {
    case .hours(let count): return Instant(start.seconds + Int64(count) * 3600)
    case .instant(let instant): return instant
    case .days(let count):
      guard let civil = clock.rules.civil(at: start), let day = civil.date.adding(days: count) else { return nil }
      return clock.rules.resolve(CivilDateTime(day, civil.time))
    case .day(let instant):
      guard let time = clock.rules.civil(at: start)?.time, let day = clock.rules.civil(at: instant)?.date else {
        return nil
      }
      return clock.rules.resolve(CivilDateTime(day, time))
    case .hour(let day, let hour):
      guard let old = clock.rules.civil(at: start)?.time,
        let time = CivilTime(hour: hour, minute: old.minute, second: old.second)
      else { return nil }
      return clock.rules.resolve(CivilDateTime(day, time))
    }
  }

  private static func words(of request: ListedRequest, at next: Instant, _ clock: LocalClock) -> [String: PlainValue] {
    var words = ListingKey.request(in: request.words)
    for key in ["in", "match", "from", "now"] { words[key] = nil }
    words["at"] = .text("\(next)")
    // A time of day stays one, also if the machine moves to another zone. At the end of summer time it may mean two.
    if let at = request.text(of: "at"), CivilDateTime(at) != nil, let civil = clock.rules.civil(at: next),
      clock.rules.resolve(civil) == next
    {
      words["at"] = .text("\(civil.date) \(civil.time)")
    }
    return words
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The schedule of a request as it was written; `Triggers` interprets it.
public struct TriggerWords: Hashable, Sendable {
  /// `in`: a duration.
  public var delay: Duration?
  /// `at`: a date and time in human form.
  public var at: String?
  /// `every`: a duration, or systemd's calendar form.
  public var every: String?
  /// `rule`: an RFC 5545 rule; lines with `EXDATE:` may follow.
  public var rule: String?
  /// `match`: date components by name.
  public var match: [String: Int]?
  /// `repeat`, for `in` and `match`.
  public var repeats: Bool?
  /// `zone`: the name of a time zone.
  public var zone: String?
  /// `from`: like `at`.
  public var from: String?
  /// `until`: like `at`; a date includes that whole day.
  public var until: String?
  /// `count`.
  public var count: Int?

  /// Creates a schedule; empty means now.
  public init(
    in delay: Duration? = nil, at: String? = nil, every: String? = nil, rule: String? = nil,
    match: [String: Int]? = nil, repeats: Bool? = nil, zone: String? = nil, from: String? = nil, until: String? = nil,
    count: Int? = nil
  ) {
    self.delay = delay
    self.at = at
    self.every = every
    self.rule = rule
    self.match = match
    self.repeats = repeats
    self.zone = zone
    self.from = from
    self.until = until
    self.count = count
  }

  /// Whether the schedule is a single delay.
  public var isDelayAlone: Bool {
    delay != nil && at == nil && every == nil && rule == nil && match == nil && repeats == nil && zone == nil
      && from == nil && until == nil && count == nil
  }

  /// Whether the schedule repeats.
  public var isRepeating: Bool { every != nil || rule != nil || repeats == true }

  /// Whether the schedule is empty, which means now.
  public var isEmpty: Bool { self == TriggerWords() }
}

extension TriggerWords {
  init(_ fields: RequestDecoder) throws {
    let time = "a date and time such as 'tomorrow 07:30' or '2026-11-21 07:30'"
    delay = try fields.parsed("in", Duration.textForm, Duration.parse)
    at = try fields.text("at", time)
    every = try fields.text("every", "a duration such as '15m', or weekdays, date and time such as 'Mon..Fri 07:30'")
    rule = try fields.text("rule", "a rule such as 'FREQ=WEEKLY;BYDAY=MO;BYHOUR=7'")
    match = try fields.integers("match", "date components by name, such as {\"weekday\": 2, \"hour\": 7}")
    repeats = try fields.flag("repeat")
    zone = try fields.text("zone", "the name of a time zone such as 'Europe/Paris'")
    from = try fields.text("from", time)
    until = try fields.text("until", time)
    count = try fields.integer("count", in: 1...Int(Int32.max))
  }

  /// In display order.
  func forEachWord(_ tell: (NotificationRequest.Key, PlainValue) throws -> Void) rethrows {
    if let delay { try tell(.delay, .text(delay.text)) }
    if let at { try tell(.at, .text(at)) }
    if let every { try tell(.every, .text(every)) }
    if let rule { try tell(.rule, .text(rule)) }
    if let match { try tell(.match, .dictionary(match.mapValues { .integer(Int64($0)) })) }
    if let repeats { try tell(.repeats, .flag(repeats)) }
    if let zone { try tell(.zone, .text(zone)) }
    if let from { try tell(.from, .text(from)) }
    if let until { try tell(.until, .text(until)) }
    if let count { try tell(.count, .integer(Int64(count))) }
  }
}

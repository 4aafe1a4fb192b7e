// SPDX-License-Identifier: Apache-2.0

extension Schedule: Decodable {
  /// All keys of a schedule.
  package static let keys = Set(words.map(\.rawValue))

  private static let words: [NotificationRequest.Key] = [
    .delay, .at, .every, .rule, .match, .on, .repeats, .cooldown, .zone, .from, .until, .count, .during, .now, .missed,
    .grace, .wake,
  ]
  private static let known = KnownKeys(words)

  /// Decodes and checks the keys of a schedule; a ``RequestError`` names the key.
  public init(from decoder: any Decoder) throws {
    self = try ScheduleWords(try RequestDecoder(of: decoder, known: Self.known)).schedule()
  }

  /// Creates a schedule from keys and values, and checks it.
  public init(_ words: [String: PlainValue]) throws(RequestError) { self = try PlainValue.dictionary(words).checked() }

  /// Passes the keys in display order.
  func forEachWord(_ tell: (NotificationRequest.Key, PlainValue) throws -> Void) rethrows {
    switch dates {
    case .now: break
    case .after(let delay): try tell(.delay, .text(delay.word))
    case .at(let time): try tell(.at, .text(time))
    case .match(let components, _): try tell(.match, Self.word(of: components))
    case .repeating(let repetition):
      switch repetition.pattern {
      case .after(let pause): try tell(.delay, .text(pause.word))
      case .every(let text): try tell(.every, .text(text))
      case .rule(let rule): try tell(.rule, .text(rule))
      case .match(let components): try tell(.match, Self.word(of: components))
      }
      if repetition.pattern.needsRepeat { try tell(.repeats, .flag(true)) }
    case .on(let occasions):
      try tell(.on, .text(occasions.condition.text))
      if occasions.repeats { try tell(.repeats, .flag(true)) }
      if let cooldown = occasions.cooldown { try tell(.cooldown, .text(cooldown.word)) }
    }
    if let zone { try tell(.zone, .text(zone)) }
    if let from = bounds.from { try tell(.from, .text(from)) }
    if let until = bounds.until { try tell(.until, .text(until)) }
    if let count = repetition?.count ?? occasions?.count { try tell(.count, .integer(Int64(count))) }
    if let during = occasions?.during { try tell(.during, .text(during)) }
    if occasions?.now == true { try tell(.now, .flag(true)) }
    if missed != .deliver { try tell(.missed, .text(missed.rawValue)) }
    if let grace { try tell(.grace, .text(grace.word)) }
    if wake { try tell(.wake, .flag(true)) }
  }

  private static func word(of components: [String: Int]) -> PlainValue {
    .dictionary(components.mapValues { .integer(Int64($0)) })
  }
}

extension Duration {
  /// The text in a request; that of a negative duration cannot be read, so that the request is refused.
  package var word: String { self < .zero ? "-" + (.zero - self).text : text }
}

extension Schedule.Pattern {
  /// Whether the key `repeat` says that it repeats.
  package var needsRepeat: Bool {
    switch self {
    case .after, .match: true
    case .every, .rule: false
    }
  }
}

/// The keys of a schedule, each of them checked by itself.
struct ScheduleWords {
  private var delay: Duration?
  private var at: String?
  private var every: String?
  private var rule: String?
  private var match: [String: Int]?
  private var on: Condition?
  private var cooldown: Duration?
  private var during: String?
  private var now: Bool?
  private var repeats: Bool?
  private var zone: String?
  private var from: String?
  private var until: String?
  private var count: Int?
  private var missed = Schedule.Missed.deliver
  private var grace: Duration?
  private var wake = false

  /// The keys that are read after the first two.
  private static let others = KnownKeys.bits(of: [
    .every, .rule, .match, .on, .repeats, .cooldown, .zone, .from, .until, .count, .during, .now, .missed, .grace,
    .wake,
  ])

  init(_ fields: RequestDecoder) throws {
    let time = "a date and time such as 'tomorrow 07:30' or '2026-11-21 07:30'"
    delay = try fields.parsed("in", Duration.textForm, Duration.parse)
    at = try fields.text("at", time)
    guard fields.hasAny(Self.others) else { return }
    every = try fields.text("every", "a duration such as '15m', or weekdays, date and time such as 'Mon..Fri 07:30'")
    rule = try fields.text("rule", "a rule such as 'FREQ=WEEKLY;BYDAY=MO;BYHOUR=7'")
    match = try fields.integers("match", "date components by name, such as {\"weekday\": 2, \"hour\": 7}")
    on = try fields.condition("on")
    cooldown = try fields.parsed("cooldown", Duration.textForm, Duration.parse)
    during = try fields.text("during", "weekdays and times such as 'Mon..Fri 08:00..18:00'")
    now = try fields.flag("now")
    repeats = try fields.flag("repeat")
    zone = try fields.text("zone", "the name of a time zone such as 'Europe/Paris'")
    from = try fields.text("from", time)
    until = try fields.text("until", time)
    count = try fields.integer("count", in: 1...Int(Int32.max))
    missed = try fields.choice("missed", Schedule.Missed.self) ?? .deliver
    grace = try fields.parsed("grace", Duration.textForm, Duration.parse)
    wake = try fields.flag("wake") ?? false
  }

  /// The schedule that the keys mean together.
  func schedule() throws(RequestError) -> Schedule {
    Schedule(trusted: try dates(), zone: zone, missed: missed, grace: grace, wake: wake)
  }

  private func dates() throws(RequestError) -> Schedule.Dates {
    try checkKinds()
    if let on { return .on(try occasions(on)) }
    try checkNoCondition()
    if let delay {
      if repeats == true { return repeating(.after(delay)) }
      try checkNoBounds()
      return .after(delay)
    }
    if let match {
      if repeats == true { return repeating(.match(match)) }
      if count != nil { throw RequestError(sentence: "requires 'repeat: true' with 'match'", about: "count") }
      return .match(match, Schedule.Bounds(from: from, until: until))
    }
    if let every {
      try checkRepeat("every")
      return repeating(.every(every))
    }
    if let rule {
      try checkRepeat("rule")
      return repeating(.rule(rule))
    }
    if repeats == true {
      throw RequestError(
        sentence: "applies only to 'in', 'match' and 'on'; for example 'every: 07:30'", about: "repeat")
    }
    try checkNoBounds()
    return at.map { .at($0) } ?? .now
  }

  private func repeating(_ pattern: Schedule.Pattern) -> Schedule.Dates {
    .repeating(Schedule.Repetition(pattern, Schedule.Bounds(from: from, until: until), count: count))
  }

  private func occasions(_ condition: Condition) throws(RequestError) -> Schedule.Occasions {
    let repeats = repeats == true
    if !repeats {
      for (key, isGiven) in [("count", count != nil), ("cooldown", cooldown != nil)] where isGiven {
        throw RequestError(sentence: "requires 'repeat: true' with 'on'", about: key)
      }
    }
    if now == true && condition.subject.isEvent {
      throw RequestError(
        sentence: "'on' names an event, which is never true already", about: "now")
    }
    if wake && condition.hold == nil {
      throw RequestError(
        sentence: "'on' and 'wake' need 'for': a machine that sleeps sees no condition, and can only wake when one has "
          + "lasted", about: "wake")
    }
    return Schedule.Occasions(
      condition, repeats: repeats, cooldown: cooldown, Schedule.Bounds(from: from, until: until), count: count,
      during: during, now: now == true)
  }

  private func checkNoCondition() throws(RequestError) {
    if cooldown == nil && during == nil && now == nil { return }
    for (key, isGiven) in [("cooldown", cooldown != nil), ("during", during != nil), ("now", now != nil)] where isGiven
    {
      throw RequestError(sentence: "applies only to 'on'; for example 'on: battery < 20%'", about: key)
    }
  }

  private func checkKinds() throws(RequestError) {
    // Without an array, because nearly every request has one of them or none.
    var kinds = delay == nil ? 0 : 1
    kinds += at == nil ? 0 : 1
    kinds += every == nil ? 0 : 1
    kinds += rule == nil ? 0 : 1
    kinds += match == nil ? 0 : 1
    kinds += on == nil ? 0 : 1
    guard kinds > 1 else { return }
    var first: String?
    for (key, isGiven) in [
      ("in", delay != nil), ("at", at != nil), ("every", every != nil), ("rule", rule != nil), ("match", match != nil),
      ("on", on != nil),
    ] where isGiven {
      if let first { throw RequestError(sentence: "'\(first)' and '\(key)' cannot be combined", about: key) }
      first = key
    }
  }

  private func checkRepeat(_ key: String) throws(RequestError) {
    guard repeats == false else { return }
    throw RequestError(sentence: "'\(key)' always repeats; for example 'at: 07:30'", about: "repeat")
  }

  private func checkNoBounds() throws(RequestError) {
    if from == nil && until == nil && count == nil { return }
    for (key, isGiven) in [("from", from != nil), ("until", until != nil), ("count", count != nil)] where isGiven {
      throw RequestError(sentence: "applies only to repetitions; for example 'every: 15m'", about: key)
    }
  }
}

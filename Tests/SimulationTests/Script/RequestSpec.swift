// SPDX-License-Identifier: Apache-2.0
import NotificationModel

/// A request of a script: what the model reads, and the words that the center gets.
struct RequestSpec {
  /// Its number is that of its step, so that each request has a title of its own.
  let number: Int
  let id: String
  let when: When
  /// The zone of its wall times; nil for that of the machine.
  let zone: String?
  let missed: Missed
  /// In seconds.
  let grace: Int64?
  let isAlert: Bool
  /// A button that launches something, and one that postpones by so many seconds.
  let hasLaunch: Bool
  /// Whether the button that launches brings its app to the front.
  var isForeground = false
  let snooze: Int64?
  /// Whether it has a button that its app handles.
  var isForApp = false
  /// In seconds; nil if the server decides.
  let expires: Int64?

  enum Missed: String { case deliver, skip, each }

  enum When {
    case now
    /// In so many seconds.
    case after(Int64)
    /// Every so many seconds; as `every`, or as `in` with `repeat`.
    case every(Int64, isDelay: Bool, count: Int?)
    /// At that time of a day, so many days ahead; of the wall clock, or that moment.
    case at(days: Int, minute: Int, isInstant: Bool)
    /// The next such time.
    case matchOnce(DatePattern)
    case dates(DatePattern, Notation, count: Int?, untilDays: Int?)
  }

  enum Notation { case every, rule, match }

  var title: String { "\(id) of step \(number)" }
  /// What its button launches.
  var entry: String { "org.example.Step\(number)" }
}

/// Times of day, on all days or on some.
struct DatePattern {
  /// 0 is Monday; empty for all. With `monthDays`, it is empty.
  var weekdays: [Int] = []
  /// 1 to 31; empty for all.
  var monthDays: [Int] = []
  /// Minutes of the day, in order.
  var minutes: [Int]
  /// When its request was made, in seconds since 1970; unknown in a script.
  var made = Int64.min
}

extension RequestSpec {
  static let app = "org.example.Simulated"

  /// The words for the center.
  ///
  /// - Parameter date: the date so many days after today, as the wall clock shows it.
  func words(date: (_ days: Int) -> CivilDay, instant: (CivilDay, _ minute: Int) -> Int64) -> [String: PlainValue] {
    var words: [String: PlainValue] = ["app": .text(Self.app), "id": .text(id), "title": .text(title)]
    if isAlert { words["style"] = .text("alert") }
    if let expires { words["expires"] = .text("\(expires)s") }
    if let zone { words["zone"] = .text(zone) }
    if missed != .deliver { words["missed"] = .text(missed.rawValue) }
    if let grace { words["grace"] = .text("\(grace)s") }
    var actions: [PlainValue] = []
    if hasLaunch {
      actions.append(
        .dictionary([
          "id": .text("open"), "title": .text("Open"), "launch": .text(entry), "foreground": .flag(isForeground),
        ]))
    }
    if let snooze {
      actions.append(.dictionary(["id": .text("later"), "title": .text("Later"), "snooze": .text("\(snooze)s")]))
    }
    if isForApp { actions.append(.dictionary(["id": .text("tell"), "title": .text("Tell")])) }
    if !actions.isEmpty { words["actions"] = .list(actions) }
    switch when {
    case .now: break
    case .after(let seconds): words["in"] = .text("\(seconds)s")
    case .every(let seconds, let isDelay, let count):
      words[isDelay ? "in" : "every"] = .text("\(seconds)s")
      if isDelay { words["repeat"] = .flag(true) }
      if let count { words["count"] = .integer(Int64(count)) }
    case .at(let days, let minute, let isInstant):
      let day = date(days)
      words["at"] = .text(isInstant ? CivilDay.rfc3339(instant(day, minute)) : "\(day.text) \(Self.time(minute))")
    case .matchOnce(let pattern): words["match"] = Self.match(pattern)
    case .dates(let pattern, let notation, let count, let untilDays):
      switch notation {
      case .every: words["every"] = .text(Self.expression(pattern))
      case .rule: words["rule"] = .text(Self.rule(pattern))
      case .match:
        words["match"] = Self.match(pattern)
        words["repeat"] = .flag(true)
      }
      if let count { words["count"] = .integer(Int64(count)) }
      if let untilDays { words["until"] = .text("\(date(untilDays).text) 00:07") }
    }
    return words
  }

  private static func time(_ minute: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(minute / 60)):\(two(minute % 60))"
  }

  private static let expressionDays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let ruleDays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  /// In systemd's form. All times of a pattern have the same minute.
  private static func expression(_ pattern: DatePattern) -> String {
    let days = pattern.weekdays.map { expressionDays[$0] }.joined(separator: ",")
    let dates = pattern.monthDays.isEmpty ? "" : "*-*-" + pattern.monthDays.map(String.init).joined(separator: ",")
    let hours = pattern.minutes.map { "\($0 / 60)" }.joined(separator: ",")
    let minute = pattern.minutes[0] % 60
    return [days, dates, "\(hours):\(minute < 10 ? "0" : "")\(minute)"].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func rule(_ pattern: DatePattern) -> String {
    var parts = ["FREQ=" + (pattern.monthDays.isEmpty ? pattern.weekdays.isEmpty ? "DAILY" : "WEEKLY" : "MONTHLY")]
    if !pattern.weekdays.isEmpty {
      parts.append("BYDAY=" + pattern.weekdays.map { ruleDays[$0] }.joined(separator: ","))
    }
    if !pattern.monthDays.isEmpty {
      parts.append("BYMONTHDAY=" + pattern.monthDays.map(String.init).joined(separator: ","))
    }
    parts.append("BYHOUR=" + pattern.minutes.map { "\($0 / 60)" }.joined(separator: ","))
    parts.append("BYMINUTE=\(pattern.minutes[0] % 60)")
    parts.append("BYSECOND=0")
    return parts.joined(separator: ";")
  }

  /// Apple's components: one time, at most one weekday and one day of the month. Its weeks begin with Sunday.
  private static func match(_ pattern: DatePattern) -> PlainValue {
    var components: [String: PlainValue] = [
      "hour": .integer(Int64(pattern.minutes[0] / 60)), "minute": .integer(Int64(pattern.minutes[0] % 60)),
    ]
    if let day = pattern.weekdays.first { components["weekday"] = .integer(Int64((day + 1) % 7 + 1)) }
    if let day = pattern.monthDays.first { components["day"] = .integer(Int64(day)) }
    return .dictionary(components)
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// An expression without a time of day, such as `Mon,Tue`, together with a start that has one, such as `07:30`. People
/// give both and expect the time of the start; an expression without a time means midnight.
struct CompletedSchedule {
  /// The flags to write instead of both: `--every 'Mon,Tue 07:30'`, also with `--from` if the start names a date.
  let flags: String

  /// Returns nil if the expression has a time of its own, or if the start has none.
  init?(_ expression: String, startingAt start: String, in time: LocalTime = .current()) {
    guard let days = Self.days(expression), let rules = try? time.rules(nil),
      let parsed = try? HumanTime.parse(start, now: time.now, zone: rules, acceptsToday: true),
      case .wall(let wall) = parsed.meaning
    else { return nil }
    let clock = String("\(wall.time)".dropLast(wall.time.second == 0 ? 3 : 0))
    let first = start.split(separator: " ").first.map(String.init) ?? ""
    let isWeekly = ["weekly", "week"].contains(days.lowercased())
    // Any date can stand before a time alone. Two of them, because a weekday may agree with one.
    let isTimeAlone = ["2035-01-01", "2035-01-02"].allSatisfy { date in
      (try? HumanTime.parse("\(date) \(start)", now: time.now, zone: rules)) != nil
    }
    let day: String? =
      switch days.lowercased() {
      case _ where isTimeAlone: nil
      case "weekly": ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][wall.date.weekday.rawValue - 1]
      // A later day does not exist in every month.
      case "monthly" where wall.date.day <= 28: "*-*-\(Self.twoDigits(wall.date.day))"
      case "yearly", "annually": "*-\(Self.twoDigits(wall.date.month))-\(Self.twoDigits(wall.date.day))"
      default: nil
      }
    guard let text = day.map({ "\($0) \(clock)" }) ?? Self.joined(days, clock) else { return nil }
    let namesWeekday = isWeekly && CalendarExpression.namesOnlyDays(first) && first.first?.isLetter == true
    let from = isTimeAlone || namesWeekday ? "" : " --from \(CommandWords.quoted(start))"
    flags = "--every \(CommandWords.quoted(text))\(from)"
  }

  /// What is wrong with an expression without a time whose start has one; nil if nothing is.
  static func warning(every expression: String?, from start: String?, in time: LocalTime = .current()) -> String? {
    guard let expression, let start, let better = CompletedSchedule(expression, startingAt: start, in: time),
      let parsed = (try? time.rules(nil)).flatMap({ try? HumanTime.parse(start, now: time.now, zone: $0) }),
      case .wall(let wall) = parsed.meaning, wall.time != .midnight
    else { return nil }
    return
      "'\(PrintableText.line(expression, atMost: 60))' names no time, so it comes at 00:00, and '--from' says only "
      + "when it begins; write \(better.flags)"
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// The expression in the right form if it names only days; otherwise nil.
  private static func days(_ text: String) -> String? {
    let right = advised(text) ?? text
    return CalendarExpression.namesOnlyDays(right) ? right : nil
  }

  private static func joined(_ days: String, _ clock: String) -> String? {
    CalendarExpression.text(clock, completedFrom: days) ?? advised("\(days) \(clock)")
  }

  /// What the error about a text in another form says to write.
  static func advised(_ text: String) -> String? {
    do throws(TriggerError) {
      _ = try CalendarExpression.parse(text)
      return nil
    } catch {
      guard let advice = error.advice, advice.hasPrefix("write '") else { return nil }
      return String(advice.dropFirst("write '".count).dropLast())
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// A time that belongs to another flag, such as `--in 7:30`, or that is written in the form of another program.
struct MisplacedTime {
  /// The problem and the remedy, behind the name of the flag; nil if the value is wrong in another way.
  let text: String

  /// - Parameter key: the key that the typed value is of.
  init?(_ value: String, of key: String) {
    if let bare = Self.withoutQuotes(value), ["in", "at", "every", "rule"].contains(key) {
      text = "has quotation marks of its own; leave them out: --\(key) \(CommandWords.quoted(bare))"
      return
    }
    if ["in", "at", "every", "rule"].contains(key), let parts = MatchText(value) {
      text = "is not for parts of a date; use --match \(parts.text)"
      return
    }
    let text: String? =
      switch key {
      case "in" where value.lowercased() == "now": "is for a duration; to show it now, leave out --in"
      case "in": Self.isDate(value) ? "is for a duration; for a date or a time of day, \(Self.use("at", value))" : nil
      case "at": Self.at(value)
      case "every": Self.every(value)
      case "rule": Self.rule(value)
      case "on": Self.on(value)
      default: nil
      }
    guard let text else { return nil }
    self.text = text
  }

  /// The text between quotation marks that the shell has passed on; nil if there are none.
  private static func withoutQuotes(_ value: String) -> String? {
    guard value.count > 2, let first = value.first, "'\"".contains(first), value.last == first else { return nil }
    return String(value.dropFirst().dropLast())
  }

  private static func at(_ value: String) -> String? {
    if let line = CronLine(value) {
      return
        (line.translation.map { "is for one date; to repeat it, \(use("every", $0))" }
        ?? "does not take a line for cron; \(line.advice)") + command(of: line)
    }
    if OffsetForm(value) != nil { return nil }
    if let delay = SpokenDelay(value) {
      return "is for a date or a time of day; for a duration, use --in \(delay.duration.text)"
    }
    if let repetition = repetition(value) { return "is for one date; to repeat it, \(use("every", repetition))" }
    let words = value.split(separator: " ").map(String.init)
    if value == "24:00" { return "needs a time up to 23:59; midnight is 00:00 of the next day" }
    if value.last == "h", value.contains(":"), isDate(String(value.dropLast())) {
      return "needs a time such as '07:30'; did you mean '\(value.dropLast())'?"
    }
    if words.count == 1, let time = withColon(value) { return "needs a time such as '07:30'; did you mean '\(time)'?" }
    if let first = words.first, let date = padded(first) {
      return "needs two digits for month and day; write '\(([date] + words.dropFirst()).joined(separator: " "))'"
    }
    if let (time, zone) = ZoneGuess.split(value, isTime: isDate) {
      return moment(value, time) ?? noZone(time, zone)
    }
    guard words.count > 1, let last = words.last, last.count >= 3, last.allSatisfy({ ("A"..."Z").contains($0) }) else {
      return nil
    }
    let rest = words.dropLast().joined(separator: " ")
    return isDate(rest) ? noZone(rest, "Europe/Paris") : nil
  }

  /// The remedy for a whole date, in another form, with an offset: `4 jan 2035 09:00 +1`.
  private static func moment(_ value: String, _ time: String) -> String? {
    // Only a whole date does not depend on today.
    let dates = [Instant(0), Instant(1_000_000_000)].map { now -> CivilDateTime? in
      guard case .wall(let wall)? = (try? HumanTime.parse(time, now: now, zone: .utc))?.meaning else { return nil }
      return wall
    }
    guard let wall = dates[0], wall == dates[1] else { return nil }
    let clock = "\(wall.time)".dropLast(wall.time.second == 0 ? 3 : 0)
    let text = "\(wall.date) \(clock)" + value.dropFirst(time.count)
    let whole =
      OffsetForm(text)?.text ?? ((try? HumanTime.parse(text, now: Instant(0), zone: .utc)) == nil ? nil : text)
    return whole.map { "needs a date such as 2035-01-04 before an offset; write '\($0)'" }
  }

  private static func noZone(_ time: String, _ zone: String) -> String {
    "has no time zone; give it by --zone: --at \(CommandWords.quoted(time)) --zone \(zone)"
  }

  private static func rule(_ value: String) -> String? {
    if (try? Duration.parse(value)) != nil { return "is for a calendar rule; for a duration, \(use("every", value))" }
    if let line = CronLine(value) {
      return
        (line.translation.map { "is for a calendar rule; for times, \(use("every", $0))" }
        ?? "does not take a line for cron; \(line.advice)") + command(of: line)
    }
    if value.contains("=") { return nil }
    if (try? CalendarExpression.parse(value)) != nil {
      return "is for a calendar rule; for times, \(use("every", value))"
    }
    if isDate(value) { return "is for a calendar rule; for one date, \(use("at", value))" }
    do throws(TriggerError) { _ = try CalendarExpression.parse(value) } catch {
      if let rule = advice(of: error, "use the rule '") { return "needs NAME=VALUE; write '\(rule)'" }
      if let times = advice(of: error, "write '") { return "is for a calendar rule; for times, \(use("every", times))" }
    }
    return nil
  }

  private static func on(_ value: String) -> String? {
    if isDate(value) { return "is for a condition; for a date or a time of day, \(use("at", value))" }
    guard (try? CalendarExpression.parse(value)) != nil else { return nil }
    return "is for a condition; for times, \(use("every", value))"
  }

  private static func every(_ value: String) -> String? {
    if value.uppercased().hasPrefix("FREQ=") { return "is for times; for a calendar rule, \(use("rule", value))" }
    if let line = CronLine(value) { return "does not take a line for cron; \(line.advice)\(command(of: line))" }
    do throws(TriggerError) {
      _ = try CalendarExpression.parse(value)
      return nil
    } catch {
      return error.advice == nil && isDate(value) ? "is for repetitions; for one date, \(use("at", value))" : nil
    }
  }

  /// Says when `--run` runs the command of a crontab line; empty if the line has none.
  private static func command(of line: CronLine) -> String {
    line.command.map { "; --run \(CommandWords.quoted($0)) runs the command at a click, not at that time" } ?? ""
  }

  private static func use(_ flag: String, _ value: String) -> String { "use --\(flag) \(CommandWords.quoted(value))" }

  /// Whether the text names one date, in the way of `--at`; a duration does not.
  private static func isDate(_ text: String) -> Bool {
    guard let time = try? HumanTime.parse(text, now: Instant(0), zone: .utc, acceptsToday: true) else { return false }
    if case .elapsed = time.meaning { return false }
    return true
  }

  /// The text, or what its error says to write instead, if that repeats.
  private static func repetition(_ text: String) -> String? {
    let first = text.split(separator: " ").first?.lowercased() ?? ""
    guard first.contains(",") || first.contains("..") || ["every", "each", "last"].contains(first) else {
      return nil
    }
    do throws(TriggerError) {
      _ = try CalendarExpression.parse(text)
      return text
    } catch {
      return advice(of: error, "write '")
    }
  }

  /// What an error says to write, in the quotation marks behind these words; nil if there are several forms.
  private static func advice(of error: TriggerError, _ words: String) -> String? {
    guard let advice = error.advice, advice.hasPrefix(words) else { return nil }
    let text = advice.dropFirst(words.count).dropLast()
    return text.contains("'") ? nil : String(text)
  }

  /// `07:30` for `0730` and `730`.
  private static func withColon(_ text: String) -> String? {
    if text.utf8.count == 3, text.utf8.allSatisfy({ (48...57).contains($0) }), text.first != "0" {
      return withColon("0" + text)
    }
    guard text.utf8.count == 4, let number = Int(text), text.first != "-", text.first != "+", number / 100 < 24,
      number % 100 < 60, text.first == "0" || number / 100 < 19
    else { return nil }
    return text.prefix(2) + ":" + text.suffix(2)
  }

  /// `2035-02-03` for `2035-2-3`.
  private static func padded(_ text: String) -> String? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4, parts.allSatisfy({ Int($0) != nil }),
      parts[1...].contains(where: { $0.count == 1 })
    else { return nil }
    let date = ([String(parts[0])] + parts[1...].map { $0.count == 1 ? "0" + $0 : String($0) }).joined(separator: "-")
    return CivilDate(date) == nil ? nil : date
  }
}

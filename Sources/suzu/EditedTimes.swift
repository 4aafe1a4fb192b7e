// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// The times of a repetition that `suzu edit` changes: what stays of them, and the command to use for what would change
/// more than the user says.
struct EditedTimes {
  private let row: ListedRequest
  private let request: [String: PlainValue]

  init(_ row: ListedRequest, _ request: [String: PlainValue]) { (self.row, self.request) = (row, request) }

  /// The repetition as its key and its text; nil if it does not repeat.
  var repetition: String? {
    for key in ["every", "rule"] {
      if let text = text(key) { return "\(key): \(PrintableText.line(text, atMost: 100))" }
    }
    guard request["repeat"] == .flag(true) else { return nil }
    if let pause = text("in") { return "in: \(PrintableText.line(pause, atMost: 100)), repeat: true" }
    return "repeat: true"
  }

  private func text(_ key: String) -> String? { if case .text(let text)? = request[key] { text } else { nil } }

  // MARK: Single dates

  /// Throws if a repetition would become a single date. Another pause with `--in` repeats as the one before did.
  func refuseSingle(_ changes: [String: PlainValue]) throws(CommandError) {
    guard changes["repeat"] == nil, let old = repetition else { return }
    let key = ["at", "in"].first { changes[$0] != nil }
    guard let key, key == "at" || request["in"] == nil, case .text(let value)? = changes[key] else { return }
    // 'Every five seconds' is hardly what a user means who postpones an hourly alarm.
    if key == "in" {
      // The value itself is wrong: the center says what to write.
      guard let delay = Self.delay(value) else { return }
      throw .usage(
        "'\(PrintableText.line(row.id, atMost: 60))' repeats (\(old)), and --in is for one date; to be reminded once in "
          + "between, use a new request: \(CommandWords.command("notify", row.title, "--in \(CommandWords.quoted(delay))")); "
          + "to change the repetition, use --every")
    }
    throw .usage(
      "'\(PrintableText.line(row.id, atMost: 60))' repeats (\(old)); "
        + (right(key, value).map { "use \(CommandWords.shown(command($0)))" }
          ?? "change that with \(request["match"] == nil ? "--every or --rule" : "--match"), or use 'suzu notify --id' for a "
          + "new one"))
  }

  /// The delay as the user typed it, if it is right, or as it should be typed.
  private static func delay(_ text: String) -> String? {
    if (try? Duration.parse(text)) != nil { return text }
    return (Duration.worded(text) ?? SpokenDelay("in \(text)")?.duration)?.text
  }

  /// The flag that changes the repetition as the user meant; nil if that is not known.
  private func right(_ key: String, _ value: String) -> String? {
    if let time = Self.timeAlone(value) {
      if let rule = text("rule") { return Self.rule(rule, at: time).map { "--rule \(CommandWords.quoted($0))" } }
      if request["match"] != nil { return match(at: time) }
      let isExpression = text("every").map { (try? Duration.parse($0)) == nil } ?? false
      // As typed, if that is right.
      let text = (try? CalendarExpression.parse(value)) == nil ? Self.short(time) : value
      return isExpression ? "--every \(CommandWords.quoted(text))" : nil
    }
    // A date with a year is one date only.
    let isExpression = (try? CalendarExpression.parse(value)) != nil && !value.contains("-")
    return isExpression ? "--every \(CommandWords.quoted(value))" : nil
  }

  /// The components at another time of day; nil if they have no day, or are not those of a flag.
  private func match(at time: CivilTime) -> String? {
    guard case .dictionary(var parts)? = request["match"] else { return nil }
    if parts.keys.allSatisfy({ ["era", "minute", "second"].contains($0) }) { return nil }
    parts["hour"] = .integer(Int64(time.hour))
    parts["minute"] = .integer(Int64(time.minute))
    parts["second"] = time.second == 0 ? nil : .integer(Int64(time.second))
    let texts = ComponentMatch.Component.allCases.compactMap { component -> String? in
      guard case .integer(let number)? = parts[component.rawValue] else { return nil }
      return "\(component.rawValue)=\(number)"
    }
    guard texts.count == parts.count else { return nil }
    return "--match \(CommandWords.quoted(texts.joined(separator: ",")))"
  }

  private func command(_ flags: String) -> String {
    let app = row.app == NotificationRequest.defaultApp ? "" : " --app \(CommandWords.quoted(row.app))"
    return CommandWords.command("edit", row.id, flags + app)
  }

  // MARK: Repetitions

  /// Adds to the new expression what it does not name: its days, its time or its zone.
  func complete(_ new: String, _ changes: [String: PlainValue], in request: inout [String: PlainValue])
    throws(CommandError)
  {
    let isInterval = text("every").map { (try? Duration.parse($0)) != nil } ?? (text("in") != nil)
    // An interval has no time of day that new days could keep. A shorthand such as 'daily' says midnight by itself.
    if isInterval, CalendarExpression.namesOnlyDays(new), !new.lowercased().hasSuffix("ly") {
      throw .usage(
        "'\(PrintableText.line(row.id, atMost: 60))' has no time of day (\(repetition ?? "")); "
          + (MonthOrHours.warning(new) ?? "add one: --every \(CommandWords.quoted("\(new) 08:00"))"))
    }
    if let old = text("every") {
      let zone = changes["zone"] == nil
      if let whole = CalendarExpression.text(new, completedFrom: old, keepsZone: zone) {
        request["every"] = .text(whole)
      }
    } else if text("rule") != nil || self.request["match"] != nil {
      if Self.isTimeAlone(new), !isDaily { throw .usage(refusal(ofTime: new)) }
      if CalendarExpression.namesOnlyDays(new) {
        guard let time else {
          throw .usage(
            "'\(PrintableText.line(row.id, atMost: 60))' repeats at several times (\(repetition ?? "")); add a time to "
              + "'--every \(PrintableText.line(new, atMost: 60))', such as 08:00")
        }
        request["every"] = .text(CalendarExpression.text(new, completedFrom: time) ?? new)
      }
    }
    // The zone in the new expression counts.
    if changes["zone"] == nil, case .text(let text)? = request["every"],
      (try? CalendarExpression.parse(text))?.zone != nil
    {
      request["zone"] = nil
    }
  }

  private func refusal(ofTime new: String) -> String {
    let time = Self.timeAlone(new)
    let remedy =
      if let rule = text("rule"), let time, let right = Self.rule(rule, at: time) {
        "to change the time, use \(CommandWords.shown(command("--rule \(CommandWords.quoted(right))")))"
      } else if let time, let right = match(at: time) {
        "to change the time, use \(CommandWords.shown(command(right)))"
      } else {
        "change the time in \(text("rule") == nil ? "--match" : "the rule")"
      }
    return "'\(PrintableText.line(row.id, atMost: 60))' repeats (\(repetition ?? "")), and '--every \(new)' would make "
      + "that every day; \(remedy), or write --every '*-*-* \(new)'"
  }

  /// Whether a rule or components say nothing but every day, and perhaps at what time.
  private var isDaily: Bool {
    if case .dictionary(let parts)? = request["match"], parts["hour"] != nil {
      return parts.keys.allSatisfy { ["hour", "minute", "second"].contains($0) }
    }
    guard let rule = text("rule") else { return false }
    return Self.parts(of: rule).filter { part in !Self.timeParts.contains { part.hasPrefix($0) } } == ["FREQ=DAILY"]
  }

  /// The time of day of a rule or of components; nil if there are several.
  private var time: String? {
    if let rule = text("rule") {
      let parts = Self.parts(of: rule)
      if parts.contains(where: { part in Self.timeParts.contains { part.hasPrefix($0) } && part.contains(",") }) {
        return nil
      }
      if ["HOURLY", "MINUTELY", "SECONDLY"].contains(where: { parts.contains("FREQ=" + $0) }) { return nil }
    } else if case .dictionary(let parts)? = request["match"], parts["hour"] == nil, parts["minute"] != nil {
      return nil
    }
    // In the zone of the request.
    return row.next.flatMap { CivilDateTime(String($0.prefix(19))) }.map { "\($0.time)" }
  }

  // MARK: Texts

  private static let timeParts = ["BYHOUR=", "BYMINUTE=", "BYSECOND="]

  private static func parts(of rule: String) -> [String] { rule.uppercased().split(separator: ";").map(String.init) }

  /// The rule at another time of day; nil if that takes more than other parts.
  private static func rule(_ rule: String, at time: CivilTime) -> String? {
    let parts = rule.split(separator: ";").filter { part in !timeParts.contains { part.uppercased().hasPrefix($0) } }
    let isOfDays = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"].contains { name in
      parts.contains { $0.uppercased() == "FREQ=" + name }
    }
    guard isOfDays, !rule.contains(where: \.isNewline) else { return nil }
    let second = time.second == 0 ? "" : ";BYSECOND=\(time.second)"
    return parts.joined(separator: ";") + ";BYHOUR=\(time.hour);BYMINUTE=\(time.minute)\(second)"
  }

  private static func short(_ time: CivilTime) -> String {
    time.second == 0 ? String("\(time)".dropLast(3)) : "\(time)"
  }

  /// Whether the text names a time of day, and no day: it can be added to any day.
  static func isTimeAlone(_ text: String) -> Bool { timeAlone(text) != nil }

  /// The time of day of a text that names no day.
  static func timeAlone(_ text: String) -> CivilTime? {
    // Two different weekdays, since the text may name one.
    let times = ["2001-01-01", "2001-01-02"].map { day -> CivilTime? in
      guard let time = try? HumanTime.parse("\(day) \(text)", now: Instant(0), zone: .utc) else { return nil }
      if case .wall(let wall) = time.meaning { return wall.time }
      return nil
    }
    return times[0] == times[1] ? times[0] : nil
  }
}

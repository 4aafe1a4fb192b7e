// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
public import Zoneinfo

extension HumanTime {
  static let usual = "tomorrow 07:30"

  /// Parses human input relative to now and a zone: a time alone is the next such time, a weekday the next such day, a
  /// day of a month the next such date. Ambiguous input is an error: `3/4`, `7`.
  ///
  /// - Parameter acceptsToday: whether `today` may stand alone, for the first or last day of something.
  public static func parse(
    _ text: String, now: Instant, zone: ZoneRules, acceptsToday: Bool = false
  ) throws(TriggerError) -> HumanTime {
    let scanner = try Scanner(text, example: usual)
    let words = scanner.words(alsoSeparatedBy: ",")
    guard !words.isEmpty else { throw TriggerError(.invalid, "the expression is empty", example: usual) }
    if let moment = moment(words) { return HumanTime(meaning: .moment(moment)) }
    if let duration = duration(words) { return HumanTime(meaning: .elapsed(duration)) }
    guard let today = zone.civil(at: now) else {
      throw TriggerError(.invalid, "now is outside of the years 1 to 9999")
    }
    do throws(TriggerError) {
      var reader = HumanTimeReader(today: today.date, acceptsToday: acceptsToday)
      try reader.read(words)
      return HumanTime(meaning: try reader.meaning { zone.resolve($0) > now })
    } catch {
      if let offset = OffsetForm(text) { throw offset.error }
      if let delay = SpokenDelay(text) { throw delay.error(words.map(\.text).joined(separator: " ")) }
      if let months = SpokenDelay.errorOfMonths(text) { throw months }
      if let spoken = SpokenTime(in: words.map(\.text)) { throw spoken.error }
      if let line = CronLine(text) { throw line.error }
      if let better = RewrittenTime(words.map(\.text)), isTime(better.text, today.date) {
        throw TriggerError(.invalid, "\(text.inQuotes) is not a time", advice: "write '\(better.text)'")
      }
      if words.count > 1, let slashed = SlashedDate.error(in: words.map(\.text)) { throw slashed }
      throw words.count == 1 ? error.withoutFirstColumn : error
    }
  }

  private static func isTime(_ text: String, _ today: CivilDate) -> Bool {
    guard let words = try? Scanner(text, example: usual).words(), moment(words) == nil else { return true }
    var reader = HumanTimeReader(today: today, acceptsToday: false)
    do throws(TriggerError) { try reader.read(words) } catch { return false }
    return true
  }

  /// The offset at the end of a moment, such as `+01:00`; nil if the text has none, or ends with `Z`.
  public static func offset(in text: String) -> UTCOffset? {
    guard let words = try? Scanner(text, example: usual).words(alsoSeparatedBy: ","), moment(words) != nil,
      let sign = words.last?.text.suffix(6), let midnight = Instant(rfc3339: "2001-01-01T00:00:00\(sign)"),
      let utc = Instant(rfc3339: "2001-01-01T00:00:00Z")
    else { return nil }
    return UTCOffset(seconds: Int(utc.seconds - midnight.seconds))
  }

  /// RFC 3339, optionally without seconds or with blanks; `@1795000000`.
  private static func moment(_ words: [Scanner.Word]) -> Instant? {
    if words.count == 1, words[0].text.hasPrefix("@"), let seconds = Int64(words[0].text.dropFirst()),
      Instant(seconds).civil(at: .utc) != nil
    {
      return Instant(seconds)
    }
    guard words.count <= 3, let date = words.first?.text, date.utf8.count >= 10 else { return nil }
    let text = words.count == 1 ? date : "\(date)T\(words.dropFirst().map(\.text).joined())"
    if let moment = Instant(rfc3339: text) { return moment }
    let minutes = text.prefix(16)
    guard minutes.count == 16, text.utf8.count > 16 else { return nil }
    return Instant(rfc3339: "\(minutes):00\(text.dropFirst(16))")
  }

  /// Refuses `19h` for a date, because it means 19:00 in some countries.
  static func refuseHours(_ text: String) throws(TriggerError) {
    let plain = text.lowercased().filter { $0 != " " }
    guard plain.count <= 3, plain.hasSuffix("h"), plain.first?.isNumber == true, let hour = Int(plain.dropLast()),
      0...23 ~= hour
    else { return }
    throw TriggerError(
      .invalid, "\(text.inQuotes) could be a time or a delay",
      advice: "write '\(hour < 10 ? "0" : "")\(hour):00' or 'in \(hour)h'")
  }

  /// `in 10m`, `1h 30m`, `in 2 hours`, `in an hour`, `now`.
  private static func duration(_ words: [Scanner.Word]) -> Duration? {
    let units = Duration.wordedUnits.merging(["a": "1", "an": "1", "and": ""]) { $1 }
    var words = words.map { $0.text.lowercased() }
    if words == ["now"] { return .zero }
    if words.first == "in" { words.removeFirst() }
    guard let first = words.first, first.utf8.first.map(Scanner.isDigit) == true || units[first] == "1" else {
      return nil
    }
    let text = words.map { word in
      let digits = word.prefix { $0.isASCII && $0.isNumber }
      let unit = String(word.dropFirst(digits.count))
      return digits + (units[unit] ?? unit)
    }.joined(separator: " ")
    return try? Duration.parse(text)
  }
}

extension Scanner {
  func words(alsoSeparatedBy separator: Unicode.Scalar) -> [Word] {
    split(separator).flatMap { $0.words() }
  }
}

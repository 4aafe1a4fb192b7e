// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

extension CalendarExpression {
  /// The text of an expression that takes what it does not name from an older one: `Mon,Tue 08:00` for `08:00` and
  /// `Mon,Tue 07:30`, and `Wed 07:30` for `Wed` and the same.
  ///
  /// Returns nil if nothing is missing, or if one of them is no such expression.
  ///
  /// - Parameter keepsZone: whether the zone of the older one is kept as well.
  public static func text(_ new: String, completedFrom old: String, keepsZone: Bool = true) -> String? {
    // A moment, `@1795000000`, is in UTC without saying so.
    guard let words = try? Scanner(new, example: "").words(), !new.contains("@"), let new = try? parse(new),
      let old = try? parse(old)
    else { return nil }
    let zone = new.zone == nil && keepsZone ? old.zone : nil
    var parts = words.dropLast(new.zone == nil ? 0 : 1).map(\.text)
    let hasDays = parts.contains { !$0.contains(":") || $0.contains(where: { "-~".contains($0) }) }
    if !hasDays {
      parts.insert(contentsOf: old.keptDays, at: 0)
    } else if namesOnlyDays(words), old.time != midnight {
      // A shorthand such as `daily` stands alone.
      if isShorthand(words) { parts = new.keptDays }
      parts.append(old.time)
    }
    parts += [zone ?? new.zone].compactMap(\.self)
    let text = parts.joined(separator: " ")
    return text == words.map(\.text).joined(separator: " ") ? nil : text
  }

  /// Whether a text is an expression without a time of day: `Tue`, `*-*-01`, `weekly`. A shorthand such as `hourly`
  /// names times.
  public static func namesOnlyDays(_ text: String) -> Bool {
    guard let words = try? Scanner(text, example: "").words() else { return false }
    return namesOnlyDays(words)
  }

  private static func namesOnlyDays(_ words: [Scanner.Word]) -> Bool {
    guard !words.contains(where: { $0.text.contains(":") || $0.text.contains("@") }),
      let expression = try? parse(words.map(\.text).joined(separator: " "))
    else { return false }
    return !expression.hours.isEverything
  }

  private static func isShorthand(_ words: [Scanner.Word]) -> Bool {
    words.first.map { $0.startsWithLetter && $0.text.lowercased().hasSuffix("ly") } ?? false
  }

  private static let midnight = "00:00"

  /// Its weekdays and its date, as far as they say anything.
  private var keptDays: [String] {
    let hasDate = ![years, months, days].allSatisfy(\.isEverything)
    return [weekdays == .all ? nil : weekdays.text, hasDate ? date : nil].compactMap(\.self)
  }

  /// Its time of day: `07:30`, or with seconds.
  private var time: String {
    let text = "\(hours.text(digits: 2)):\(minutes.text(digits: 2))"
    let second = seconds.text(digits: 2)
    return second == "00" ? text : "\(text):\(second)"
  }
}

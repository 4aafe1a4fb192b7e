// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// Several times of day in one text, such as `08:00,12:00,18:00` or `Mon 7:30, Tue 8:00`. An expression has one time,
/// whose hours may be a list, so the text means one expression or several requests.
public struct SeveralTimes {
  /// The expressions that have the dates of the text together.
  let expressions: [String]

  /// Finds several whole times in a text whose words have blanks between them.
  public init?(_ text: String) {
    guard text.utf8.count <= 200 else { return nil }
    self.init(text.split(separator: " ").map(String.init))
  }

  /// Returns nil if the text has a single time, or words that are neither weekdays nor times.
  init?(_ words: [String]) {
    var words = words.flatMap { $0.split(whereSeparator: { ",;".contains($0) }).map(String.init) }
    let zone = words.last.flatMap { $0.contains("/") && $0.first?.isLetter == true ? $0 : nil }
    if zone != nil { words.removeLast() }
    var groups: [(days: [String], times: [CivilTime])] = []
    var rest = words.map { $0.lowercased() }[...]
    while let word = rest.popFirst() {
      if word == "at", let next = rest.first.flatMap({ Int($0) }), let time = CivilTime(hour: next, minute: 0) {
        rest.removeFirst()
        if groups.isEmpty { groups.append(([], [])) }
        groups[groups.count - 1].times.append(time)
        continue
      }
      if ["and", "&", "at", "on", "every", "each", "daily"].contains(word) { continue }
      if let time = Self.time(word, &rest) {
        if groups.isEmpty { groups.append(([], [])) }
        groups[groups.count - 1].times.append(time)
      } else if let days = ExpressionAdvice.days(word) {
        if groups.last?.times.isEmpty != false, !groups.isEmpty {
          groups[groups.count - 1].days.append(days)
        } else {
          groups.append(([days], []))
        }
      } else {
        return nil
      }
    }
    // Days behind the times: '7:30 and 19:30 on weekdays'.
    if groups.count == 2, groups[0].days.isEmpty, groups[1].times.isEmpty {
      groups = [(groups[1].days, groups[0].times)]
    }
    guard groups.reduce(0, { $0 + $1.times.count }) > 1, groups.allSatisfy({ !$0.times.isEmpty }) else { return nil }
    expressions = Self.merged(groups.flatMap(Self.split)).map { days, time in
      ((days.isEmpty ? [] : [days.joined(separator: ",")]) + [time] + (zone.map { [$0] } ?? [])).joined(separator: " ")
    }
    var search = DateSearch()
    for expression in expressions {
      guard (try? CalendarExpression.parseAsWritten(expression, &search)) != nil else { return nil }
    }
  }

  /// What to write.
  public var advice: String {
    if expressions.count == 1 { return "write '\(expressions[0])'" }
    let texts = expressions.map { "'\($0)'" }
    return "make a request for each: " + texts.dropLast().joined(separator: ", ") + " and " + texts[texts.count - 1]
  }

  /// `7:30`, `7am`, or the two words of `7:30 am`.
  private static func time(_ word: String, _ rest: inout ArraySlice<String>) -> CivilTime? {
    if let half = rest.first, half.first == "a" || half.first == "p", let time = HumanTimeReader.clock(word + half) {
      rest.removeFirst()
      return time
    }
    if ["noon", "midday"].contains(word) { return CivilTime(hour: 12, minute: 0) }
    return HumanTimeReader.clock(word)
  }

  /// One time for all hours with the same minute.
  private static func split(_ days: [String], _ times: [CivilTime]) -> [(days: [String], time: String)] {
    var parts: [(time: CivilTime, hours: Set<Int>)] = []
    for time in times {
      if let index = parts.firstIndex(where: { $0.time.minute == time.minute && $0.time.second == time.second }) {
        parts[index].hours.insert(time.hour)
      } else {
        parts.append((time, [time.hour]))
      }
    }
    return parts.map { time, hours in
      let clock = "\(time)".dropLast(time.second == 0 ? 3 : 0)
      guard hours.count > 1 else { return (days, String(clock)) }
      return (days, hours.sorted().map(String.init).joined(separator: ",") + clock.dropFirst(2))
    }
  }

  /// One expression for all weekdays with the same time.
  private static func merged(_ parts: [(days: [String], time: String)]) -> [(days: [String], time: String)] {
    var merged: [(days: [String], time: String)] = []
    for part in parts {
      if let index = merged.firstIndex(where: { $0.time == part.time }), !part.days.isEmpty,
        !merged[index].days.isEmpty
      {
        merged[index].days += part.days.filter { !merged[index].days.contains($0) }
      } else {
        merged.append(part)
      }
    }
    return merged
  }
}

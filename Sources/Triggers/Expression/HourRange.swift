// SPDX-License-Identifier: Apache-2.0

/// Hours from one time to another, such as `9:00-17:00`, `9-17:30`, `9am-5pm` or `9 to 17`, which an expression writes
/// `9..17:00`: every full hour from 9 to 17.
struct HourRange {
  let text: String

  /// Returns nil if the word is something else. Without a colon or a half of the day, two numbers are a month and a
  /// day.
  init?(_ word: String, mayBeDate: Bool = true) {
    let ends = word.lowercased().replacing("–", with: "-").replacing("..", with: "-")
      .split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard ends.count == 2, let first = End(ends[0]), var last = End(ends[1]) else { return nil }
    guard !mayBeDate || [first, last].contains(where: { $0.minute != nil || $0.half != nil }) || first.hour > 12 else {
      return nil
    }
    var start = first.hour
    if first.half == nil, last.half == "pm", first.hour < 12, first.hour + 12 < last.hour { start += 12 }
    if last.half == nil, first.half == "am", last.hour < 12, last.hour < start { last.hour += 12 }
    let minute = first.minute ?? last.minute ?? 0
    // The last full hour, or half hour, that is not later than the end.
    let end = last.hour - (first.minute ?? 0 > last.minute ?? first.minute ?? 0 ? 1 : 0)
    guard start != end, 0...23 ~= end else { return nil }
    let hours =
      if start < end { "\(start)..\(end)" } else {
        (start == 23 ? "23" : "\(start)..23") + (end == 0 ? ",0" : ",0..\(end)")
      }
    text = hours + (minute < 10 ? ":0\(minute)" : ":\(minute)")
  }

  /// The words with each range of three words, `9:00 to 17:00` or `9 - 17`, as one.
  static func joined(_ words: [String]) -> [String] {
    var parts: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      let next = rest.prefix(2).map { $0.lowercased() }
      if next.count == 2, ["to", "-", "–", "till", "until", "through", "and"].contains(next[0]),
        next[0] != "and" || parts.last?.lowercased() == "between",
        !["quarter", "half"].contains(word.lowercased()), !Self.isSpoken(word, next[0]),
        HourRange("\(word)-\(next[1])", mayBeDate: false) != nil
      {
        if ["from", "between"].contains(parts.last?.lowercased()) { parts.removeLast() }
        let range = HourRange("\(word)-\(next[1])", mayBeDate: false)
        parts.append(range?.text ?? word)
        rest = rest.dropFirst(2)
      } else {
        parts.append(word)
      }
    }
    return parts
  }

  /// `10 to 5` is a time in words.
  private static func isSpoken(_ word: String, _ next: String) -> Bool {
    next == "to" && Int(word).map { $0 % 5 == 0 } ?? false
  }

  private struct End {
    var hour: Int
    let minute: Int?
    let half: String?

    init?(_ text: String) {
      let name = text.drop { $0.isNumber || $0 == ":" }
      let parts = text.dropLast(name.count).split(separator: ":", omittingEmptySubsequences: false)
      guard ["", "am", "pm"].contains(name), (1...2).contains(parts.count), parts[0].utf8.count <= 2,
        parts.count == 1 || parts[1].utf8.count == 2, let hour = Int(parts[0])
      else { return nil }
      half = name.isEmpty ? nil : String(name)
      minute = parts.count == 2 ? Int(parts[1]) : nil
      guard half == nil ? 0...23 ~= hour : 1...12 ~= hour, parts.count == 1 || minute.map({ 0...59 ~= $0 }) == true
      else { return nil }
      self.hour = half == nil ? hour : hour % 12 + (half == "pm" ? 12 : 0)
    }
  }
}

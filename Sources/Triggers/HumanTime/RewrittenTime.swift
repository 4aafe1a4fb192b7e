// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// A time in a form that is not read, as it should be written: `7 30`, `7h30`, `7 o'clock`, `1800000000`.
struct RewrittenTime {
  let text: String

  /// Returns nil if no word is in such a form.
  init?(_ words: [String]) {
    var parts: [String] = []
    var isChanged = false
    var rest = words[...]
    while let word = rest.popFirst() {
      if let hour = Self.number(word, 0...23), let count = Self.clockWords(rest) {
        rest = rest.dropFirst(count)
        parts.append(Self.time(hour, 0))
      } else if let hour = Self.number(word, 0...23), let next = rest.first, next.utf8.count == 2,
        let minute = Self.number(next, 0...59)
      {
        rest.removeFirst()
        parts.append(Self.time(hour, minute))
      } else if let (hour, minute) = Self.withLetter(word) {
        parts.append(Self.time(hour, minute))
      } else if words.count == 1, 9...11 ~= word.utf8.count, word.utf8.allSatisfy(Scanner.isDigit) {
        parts.append("@" + word)
      } else {
        parts.append(word)
        continue
      }
      isChanged = true
    }
    guard isChanged else { return nil }
    text = parts.joined(separator: " ")
  }

  /// How many words after the hour mean `o'clock`; nil if none.
  private static func clockWords(_ words: ArraySlice<String>) -> Int? {
    guard let first = words.first?.lowercased() else { return nil }
    if ["o'clock", "oclock", "o’clock", "uhr"].contains(first) { return 1 }
    return first == "o" && words.dropFirst().first?.lowercased() == "clock" ? 2 : nil
  }

  /// The time of `7h30`, which is no duration where a time is expected.
  private static func withLetter(_ word: String) -> (hour: Int, minute: Int)? {
    let parts = word.lowercased().split(separator: "h", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, parts[1].utf8.count == 2, let hour = number(parts[0], 0...23),
      let minute = number(parts[1], 0...59)
    else { return nil }
    return (hour, minute)
  }

  private static func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
    guard 1...2 ~= text.utf8.count, text.utf8.allSatisfy(Scanner.isDigit), let number = Int(text) else { return nil }
    return range.contains(number) ? number : nil
  }

  private static func time(_ hour: Int, _ minute: Int) -> String {
    (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)"
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// A time of several words without quotes, such as `--at tomorrow 7:30 Tea`: the shell passes its second word as the
/// title.
struct UnquotedTime {
  /// The problem and the right form.
  let problem: String

  /// Returns nil if the words behind the flags of times belong to none of them.
  ///
  /// - Parameter bodyIndex: the index of the word that is the body.
  init?(_ arguments: Arguments, bodyIndex: Int = 1) {
    for (index, flag) in arguments.flagsBefore.sorted(by: { $0.key < $1.key }) {
      guard ["in", "at", "every", "from", "until"].contains(flag), let value = arguments.value(flag) else { continue }
      // The longest text first: 'tomorrow at 7:30' begins with another time.
      for count in stride(from: min(4, arguments.words.count - index), to: 0, by: -1) {
        let words = arguments.words[index..<index + count]
        let text = ([value] + words).joined(separator: " ")
        guard text.utf8.count <= 100, let right = Self.right(text, flag, behind: words) else { continue }
        let title = PrintableText.line(words.first ?? "", atMost: 60)
        problem = "'\(title)' would be the \(index == bodyIndex ? "body" : "title"); quote the time: --\(flag) \(right)"
        return
      }
    }
    return nil
  }

  /// The text as it should be typed; nil if it is no such time.
  private static func right(_ text: String, _ flag: String, behind words: ArraySlice<String>) -> String? {
    switch flag {
    case "in": return Duration.worded(text)?.text
    case "every":
      if let duration = Duration.worded(text) { return duration.text }
      do throws(TriggerError) {
        let zone = try CalendarExpression.parse(text).zone
        // Any word at the end may be a zone, also a title.
        return zone == nil || words.last?.contains("/") == true ? "'\(text)'" : nil
      } catch {
        // A schedule in another form, such as 'daily 7:30'.
        guard let advice = error.advice, advice.hasPrefix("write '"), words.allSatisfy(isTime) else { return nil }
        return String(advice.dropFirst("write ".count))
      }
    default:
      return isTime(text) ? "'\(text)'" : nil
    }
  }

  static func isTime(_ text: String) -> Bool {
    (try? HumanTime.parse(text, now: Instant(0), zone: .utc, acceptsToday: true)) != nil
  }
}

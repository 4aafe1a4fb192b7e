// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// A delay in words that are not read: `in ten minutes`, `now + 5m`, `5 minutes from now`, or `in 5`, which lacks its
/// unit.
public struct SpokenDelay {
  /// The delay; of a number alone in minutes.
  public let duration: Duration
  private let problem: String

  /// Returns nil if the words of a delay are missing.
  public init?(_ text: String) {
    guard text.utf8.count <= 100 else { return nil }
    var words = text.lowercased().replacing("+", with: " + ").split(separator: " ").map(String.init)[...]
    let count = words.count
    if words.first == "now" { words.removeFirst() }
    while let first = words.first, ["in", "after", "within", "+", "plus"].contains(first) { words.removeFirst() }
    if words.suffix(2) == ["from", "now"] {
      words.removeLast(2)
    } else if ["later", "hence"].contains(words.last) {
      words.removeLast()
    }
    guard words.count < count, !words.isEmpty else { return nil }
    let rest = words.joined(separator: " ")
    if let duration = Duration.worded(rest) ?? (try? Duration.parse(rest)) {
      self.duration = duration
      let isIn = text.lowercased().hasPrefix("in ") && count == words.count + 1
      problem = isIn ? "needs digits" : "is not a time"
    } else if words.count == 1, let number = Int(rest), 1..<1000 ~= number {
      duration = .seconds(60 * number)
      problem = "needs a unit"
    } else {
      return nil
    }
  }

  /// The error for `in 2 months`, whose length is not known; nil for another text.
  static func errorOfMonths(_ text: String) -> TriggerError? {
    let words = text.lowercased().split(separator: " ")
    guard let first = words.first, ["in", "after", "now", "+"].contains(first),
      words.contains(where: { ["month", "months", "year", "years"].contains($0) })
    else { return nil }
    return TriggerError(
      .invalid, "\(text.inQuotes) is no duration: months and years differ in length",
      advice: "write a date such as '24 dec 09:00'")
  }

  /// The error that says what to write.
  func error(_ text: String) -> TriggerError {
    TriggerError(.invalid, "\(text.inQuotes) \(problem)", advice: "write 'in \(duration.text)'")
  }
}

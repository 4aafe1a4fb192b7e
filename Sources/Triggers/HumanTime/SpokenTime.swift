// SPDX-License-Identifier: Apache-2.0

/// A time in words, `half past seven` or `quarter to 8`, to say what to write instead.
struct SpokenTime {
  /// The words as they were written.
  let text: String
  /// The times it may mean, in the morning and in the evening.
  let times: [String]

  /// Finds a time in words among others.
  init?(in words: [String]) {
    guard let middle = words.firstIndex(where: { ["past", "to"].contains($0.lowercased()) }), middle > 0,
      middle + 1 < words.count
    else { return nil }
    let start = middle > 1 && words[middle - 1].lowercased().hasPrefix("minute") ? middle - 2 : middle - 1
    let distance: Int? =
      switch words[start].lowercased() {
      case "half": 30
      case "quarter": 15
      case let word: Self.number(word)
      }
    guard let distance, 1...30 ~= distance, let hour = Self.number(words[middle + 1].lowercased()), 1...12 ~= hour
    else {
      return nil
    }
    let isPast = words[middle].lowercased() == "past"
    let minutes = hour * 60 + (isPast ? distance : -distance)
    times = [minutes, minutes + 720].map { minutes in
      let (hour, minute) = (minutes / 60 % 24, minutes % 60)
      return (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)"
    }.sorted()
    text = words[start...middle + 1].joined(separator: " ")
  }

  private static func number(_ word: String) -> Int? { Int(word) ?? words.firstIndex(of: word).map { $0 + 1 } }

  private static let words = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
  ]
}

extension SpokenTime {
  /// The error that says what to write.
  var error: TriggerError {
    TriggerError(.invalid, "\(text.inQuotes) is not a time", advice: "write '\(times[0])' or '\(times[1])'")
  }
}

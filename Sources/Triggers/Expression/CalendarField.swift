// SPDX-License-Identifier: Apache-2.0

/// A field of a calendar expression, such as its hours: `*`, `7`, `9,17`, `8..18/2`.
struct CalendarField: Hashable, Sendable {
  /// One value or several: every `step`th from `start` to `stop`; without a stop, to the end of the field.
  struct Span: Hashable, Sendable {
    var start: Int
    var stop: Int?
    var step: Int?

    /// The same values in the shortest form: a stop is the last value, and a single value is not a range.
    var shortest: Span {
      guard let stop else { return self }
      let last = last(upTo: stop)
      return last == start ? Span(start: start) : Span(start: start, stop: last, step: step)
    }

    /// The last value, if the field ends at `end`.
    func last(upTo end: Int) -> Int {
      guard let step else { return start }
      let stop = min(stop ?? end, end)
      return stop < start ? start : stop - (stop - start) % step
    }
  }

  /// Sorted; empty means `*`.
  var spans: [Span] = []

  init(spans: [Span] = []) { self.spans = spans }

  init(sorting spans: [Span]) {
    self.spans = Set(spans).sorted { ($0.start, $0.stop ?? 0, $0.step ?? 0) < ($1.start, $1.stop ?? 0, $1.step ?? 0) }
  }

  var isEverything: Bool { spans.isEmpty }

  /// The values within `range`, which lies within 0...63.
  func values(in range: ClosedRange<Int>) -> BitSet {
    if isEverything { return BitSet(range) }
    var values = BitSet.none
    for span in spans {
      for value in stride(from: span.start, through: span.last(upTo: range.upperBound), by: span.step ?? 1)
      where range.contains(value) {
        values.insert(value)
      }
    }
    return values
  }

  /// Converts values counted from the month's end, 1 being its last day, to days of a month of that length.
  func valuesFromEnd(ofMonthWith length: Int) -> BitSet {
    var days = BitSet.none
    for span in spans {
      // A range counts backwards, `1..9`; without its end, `7/2`, it ends with the month. Steps go forwards.
      let first = length + 1 - (span.stop ?? span.start)
      let last = span.stop != nil ? length + 1 - span.start : span.step != nil ? length : first
      for day in stride(from: first, through: last, by: span.step ?? 1) where 1...length ~= day { days.insert(day) }
    }
    return days
  }

  /// The smallest value that is not below `number`, for fields without an end.
  func first(from number: Int, upTo end: Int) -> Int? {
    if isEverything { return number <= end ? number : nil }
    var least: Int?
    for span in spans {
      let behind = number - span.start
      let value =
        behind <= 0 ? span.start : span.start + (behind + (span.step ?? 1) - 1) / (span.step ?? 1) * (span.step ?? 1)
      if value <= span.last(upTo: end), value >= number, value <= end { least = min(least ?? value, value) }
    }
    return least
  }
}

extension CalendarField {
  /// The field as text, with numbers of that many digits.
  func text(digits: Int) -> String {
    if isEverything { return "*" }
    func number(_ value: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    return spans.map { span in
      var text = number(span.start)
      if let stop = span.stop { text += "..\(number(stop))" }
      if let step = span.step, step > 1 || span.stop == nil { text += "/\(step)" }
      return text
    }.joined(separator: ",")
  }
}

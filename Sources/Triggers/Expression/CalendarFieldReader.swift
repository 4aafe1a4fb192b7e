// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// Parses one field of a calendar expression and checks its range.
struct CalendarFieldReader {
  let name: String
  let range: ClosedRange<Int>
  let longest: Int

  static let year = CalendarFieldReader(name: "year", range: 0...CivilDate.years.upperBound, longest: 4)
  static let month = CalendarFieldReader(name: "month", range: 1...12, longest: 2)
  static let day = CalendarFieldReader(name: "day", range: 1...31, longest: 2)
  /// Every month has that many days.
  static let dayFromEnd = CalendarFieldReader(name: "day from the month's end", range: 1...28, longest: 2)
  static let hour = CalendarFieldReader(name: "hour", range: 0...23, longest: 2)
  static let minute = CalendarFieldReader(name: "minute", range: 0...59, longest: 2)

  func read(_ reader: inout Scanner) throws(TriggerError) -> CalendarField {
    var field = CalendarField()
    if reader.take("*") {
      // Not in systemd's syntax, but familiar from cron.
      guard reader.take("/") else { return field }
      let start = name == "year" ? 2000 : range.lowerBound
      field.spans = [.init(start: start, step: try step(&reader, from: start, to: range.upperBound))]
      return field
    }
    repeat { field.spans.append(try span(&reader)) } while reader.take(",")
    return CalendarField(sorting: field.spans)
  }

  private func span(_ reader: inout Scanner) throws(TriggerError) -> CalendarField.Span {
    var span = CalendarField.Span(start: try value(&reader))
    let column = reader.column
    if reader.take("..") {
      let stop = try value(&reader)
      guard stop >= span.start else {
        throw TriggerError(
          .invalid, "a range must ascend: \(stop) is less than \(span.start)", column: column,
          example: name == Self.dayFromEnd.name
            ? "\(stop)..\(span.start)" : "\(span.start)..\(range.upperBound),\(range.lowerBound)..\(stop)")
      }
      span.stop = stop
      span.step = 1
    }
    if reader.take("/") { span.step = try step(&reader, from: span.start, to: span.stop ?? range.upperBound) }
    return span.shortest
  }

  private func value(_ reader: inout Scanner) throws(TriggerError) -> Int {
    let column = reader.column
    guard let number = reader.number(digits: longest) else {
      throw reader.problem("expected the \(name), \(range.lowerBound) to \(range.upperBound), or '*'")
    }
    guard range.contains(number) else {
      throw TriggerError(
        .invalid, "\(number) is not a valid \(name) (\(range.lowerBound) to \(range.upperBound))", column: column,
        advice: Self.advice(on: number, name))
    }
    // Two digits of a year mean 1970 to 2069.
    return name == "year" && number < 100 ? number + (number < 70 ? 2000 : 1900) : number
  }

  /// What to write instead of the end of a day or of an hour.
  private static func advice(on number: Int, _ name: String) -> String? {
    switch (name, number) {
    case ("hour", 24): "midnight is 00:00 of the next day"
    case ("minute", 60), ("second", 60): "the next one begins with 00"
    default: nil
    }
  }

  private func step(_ reader: inout Scanner, from start: Int, to end: Int) throws(TriggerError) -> Int {
    let column = reader.column
    guard let step = reader.number(digits: 4), step > 0 else {
      throw reader.problem("expected a step, 1 or more", example: "*:0/15")
    }
    // `*:0/90` looks like every ninety minutes, but would fire every hour.
    guard start + step <= end || (start == end && step == 1) else {
      throw TriggerError(
        .invalid,
        "a step of \(step) from \(start) goes beyond \(end); to repeat by a duration, write only the duration",
        column: column, example: "90m")
    }
    return step
  }
}

extension CalendarFieldReader {
  /// Parses seconds with optional fractions, which are cut off; two dates within one second are an error.
  static func readSeconds(_ reader: inout Scanner) throws(TriggerError) -> CalendarField {
    let start = reader.column
    if reader.take("*") {
      return reader.take("/")
        ? try secondField([(start: 0, stop: nil, step: try micros(&reader, "step"))], start) : CalendarField()
    }
    var spans: [(start: Int, stop: Int?, step: Int?)] = []
    repeat {
      var span = (start: try micros(&reader, "second"), stop: Int?.none, step: Int?.none)
      if reader.take("..") {
        span.stop = try micros(&reader, "second")
        span.step = 1_000_000
      }
      if reader.take("/") { span.step = try micros(&reader, "step") }
      spans.append(span)
    } while reader.take(",")
    return try secondField(spans, start)
  }

  private static func micros(_ reader: inout Scanner, _ name: String) throws(TriggerError) -> Int {
    let column = reader.column
    guard let value = reader.decimal(digits: 2), value < 60_000_000 else {
      throw TriggerError(.invalid, "expected a \(name), 0 to 59", column: column, example: "07:30:15")
    }
    return value
  }

  private static func secondField(
    _ spans: [(start: Int, stop: Int?, step: Int?)], _ column: Int
  ) throws(TriggerError) -> CalendarField {
    var moments: Set<Int> = []
    for span in spans {
      guard let step = span.step else {
        moments.insert(span.start)
        continue
      }
      let stop = span.stop ?? 59_999_999
      guard step > 0, stop >= span.start, span.stop != nil || span.start + step <= stop else {
        throw TriggerError(.invalid, "this range of seconds has no values", column: column, example: "*:*:0/10")
      }
      guard step >= 1_000_000 else { throw tooDense(column) }
      moments.formUnion(stride(from: span.start, through: stop, by: step))
    }
    let seconds = Set(moments.map { $0 / 1_000_000 })
    guard seconds.count == moments.count else { throw tooDense(column) }
    if spans.allSatisfy({ ($0.start % 1_000_000, ($0.stop ?? 0) % 1_000_000, ($0.step ?? 0) % 1_000_000) == (0, 0, 0) })
    {
      return CalendarField(
        sorting: spans.map { span in
          CalendarField.Span(
            start: span.start / 1_000_000, stop: span.stop.map { $0 / 1_000_000 },
            step: span.step.map { $0 / 1_000_000 }
          ).shortest
        })
    }
    return CalendarField(spans: seconds.sorted().map { .init(start: $0) })
  }

  private static func tooDense(_ column: Int) -> TriggerError {
    TriggerError(
      .tooDense, "this repeats more than once a second", column: column, example: "*:*:0/1")
  }
}

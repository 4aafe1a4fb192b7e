// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Zoneinfo

/// A date and time with an offset from UTC in another form than `+01:00`: `2035-01-04 09:00 +1`, `+0100` or `GMT+1`.
public struct OffsetForm {
  /// The offset as it was written.
  let typed: String
  /// The whole text in the right form.
  public let text: String

  /// Returns nil if the text is something else, or right already.
  public init?(_ text: String) {
    guard text.utf8.count <= 60, var reader = try? Scanner(text, example: ""), let year = reader.number(exactly: 4),
      reader.take("-"), let month = reader.number(digits: 2), reader.take("-"), let day = reader.number(digits: 2),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    let hasBlank = reader.peek.map(Scanner.isBlank) ?? false
    reader.skipBlanks()
    if !hasBlank { guard reader.takeWord("T") else { return nil } }
    guard let hour = reader.number(digits: 2), reader.take(":"), let minute = reader.number(exactly: 2) else {
      return nil
    }
    var second = 0
    if reader.take(":") {
      guard let value = reader.number(exactly: 2) else { return nil }
      second = value
    }
    guard let time = CivilTime(hour: hour, minute: minute, second: second) else { return nil }
    reader.skipBlanks()
    typed = reader.rest
    guard let offset = Self.offset(&reader) else { return nil }
    let clock = String("\(time)".dropLast(second == 0 ? 3 : 0))
    let whole = hasBlank ? "\(date) \(clock) \(offset)" : "\(date)T\(clock)\(offset)"
    guard whole != text else { return nil }
    self.text = whole
  }

  /// `+1`, `+01`, `+1:00`, `+0100`, `UTC+1`, `GMT +1`.
  private static func offset(_ reader: inout Scanner) -> String? {
    if reader.takeWord("UTC") || reader.takeWord("GMT") { reader.skipBlanks() }
    let isWest = reader.take("-") || reader.take("−")
    guard isWest || reader.take("+") else { return nil }
    reader.skipBlanks()
    let start = reader.column
    guard let number = reader.number(digits: 4) else { return nil }
    let digits = reader.column - start
    var (hours, minutes) = digits > 2 ? (number / 100, number % 100) : (number, 0)
    if digits <= 2, reader.take(":") {
      guard let value = reader.number(exactly: 2) else { return nil }
      minutes = value
    }
    hours = min(hours, 99)
    guard reader.isAtEnd, hours <= 14, minutes < 60 else { return nil }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(isWest ? "-" : "+")\(two(hours)):\(two(minutes))"
  }

  /// The error that says what to write.
  var error: TriggerError {
    TriggerError(.invalid, "\(typed.inQuotes) is not an offset from UTC", advice: "write '\(text)'")
  }
}

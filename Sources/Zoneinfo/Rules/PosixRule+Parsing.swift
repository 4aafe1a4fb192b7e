// SPDX-License-Identifier: Apache-2.0

/// Parses the [POSIX](https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html#tag_08_03) format, with
/// the hours from -167 to 167 that RFC 9636 added in version 3.
extension PosixRule {
  init(_ text: String) throws(ZoneError) {
    var parser = Parser(text)
    self = try parser.rule()
  }

  /// A position in the text.
  private struct Parser: ~Copyable {
    let text: String
    let bytes: [UInt8]
    var place = 0

    init(_ text: String) {
      self.text = text
      bytes = Array(text.utf8)
    }

    func problem(_ expected: String) -> ZoneError {
      ZoneError(.invalidRule, text, "\(expected) is expected at character \(place + 1)")
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
      place += 1
      return true
    }

    mutating func rule() throws(ZoneError) -> PosixRule {
      let name = try name()
      let ahead = -(try seconds(hours: 24))
      let standard = LocalTimeType(offset: try offset(ahead), isDaylight: false, abbreviation: name)
      if place == bytes.count { return PosixRule(standard: standard, daylight: nil) }
      let summerName = try self.name()
      let hasOffset = place < bytes.count && bytes[place] != UInt8(ascii: ",")
      let summerAhead = hasOffset ? -(try seconds(hours: 24)) : ahead + 3600
      let summer = LocalTimeType(offset: try offset(summerAhead), isDaylight: true, abbreviation: summerName)
      // Without dates, all C libraries use those of the United States.
      if place == bytes.count {
        return PosixRule(
          standard: standard,
          daylight: Daylight(
            type: summer, start: Switch(day: .weekday(month: 3, week: 2, weekday: 0), time: 7200),
            end: Switch(day: .weekday(month: 11, week: 1, weekday: 0), time: 7200)))
      }
      let start = try change()
      let end = try change()
      guard place == bytes.count else { throw problem("the end") }
      return PosixRule(standard: standard, daylight: Daylight(type: summer, start: start, end: end))
    }

    /// Parses `CET`, or a name with digits and signs in angle brackets: `<+0530>`.
    mutating func name() throws(ZoneError) -> String {
      let isQuoted = take("<")
      let start = place
      while place < bytes.count, Self.isNamePart(bytes[place], isQuoted: isQuoted) { place += 1 }
      let name = String(decoding: bytes[start..<place], as: UTF8.self)
      guard place - start >= 3 else { throw problem("a name of three letters or more") }
      if isQuoted, !take(">") { throw problem("'>'") }
      return name
    }

    static func isNamePart(_ byte: UInt8, isQuoted: Bool) -> Bool {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): isQuoted
      default: false
      }
    }

    /// Parses `,M3.5.0/2`: a day and an optional time, by default 02:00.
    mutating func change() throws(ZoneError) -> Switch {
      guard take(",") else { throw problem("','") }
      let day = try day()
      return Switch(day: day, time: take("/") ? try seconds(hours: 167) : 7200)
    }

    mutating func day() throws(ZoneError) -> Day {
      if take("J") { return .julian(try number(1...365, "a day from 1 to 365")) }
      guard take("M") else { return .fromZero(try number(0...365, "a day: M, J or a number from 0 to 365")) }
      let month = try number(1...12, "a month from 1 to 12")
      guard take(".") else { throw problem("'.'") }
      let week = try number(1...5, "a week from 1 to 5")
      guard take(".") else { throw problem("'.'") }
      return .weekday(month: month, week: week, weekday: try number(0...6, "a weekday from 0 to 6"))
    }

    /// Parses `[+-]hh[:mm[:ss]]`.
    mutating func seconds(hours: Int) throws(ZoneError) -> Int {
      let isNegative = take("-")
      if !isNegative { _ = take("+") }
      var seconds = try number(0...hours, "a number of hours up to \(hours)") * 3600
      if take(":") {
        seconds += try number(0...59, "minutes from 0 to 59") * 60
        if take(":") { seconds += try number(0...59, "seconds from 0 to 59") }
      }
      return isNegative ? -seconds : seconds
    }

    mutating func number(_ range: ClosedRange<Int>, _ expected: String) throws(ZoneError) -> Int {
      let start = place
      var number = 0
      while place < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[place], place - start < 3 {
        number = number * 10 + Int(bytes[place] - UInt8(ascii: "0"))
        place += 1
      }
      guard place > start, range.contains(number) else {
        place = start
        throw problem(expected)
      }
      return number
    }

    func offset(_ seconds: Int) throws(ZoneError) -> UTCOffset {
      guard let offset = UTCOffset(seconds: seconds) else { throw problem("an offset of less than 25 hours") }
      return offset
    }
  }
}

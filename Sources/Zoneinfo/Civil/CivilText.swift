// SPDX-License-Identifier: Apache-2.0

/// Writes and parses ISO 8601 and RFC 3339 texts directly, without formatters.
struct CivilText: ~Copyable {
  private var bytes: [UInt8] = []

  static func string(_ write: (inout CivilText) -> Void) -> String {
    var text = CivilText()
    text.bytes.reserveCapacity(32)
    write(&text)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  mutating func append(_ character: Unicode.Scalar) { bytes.append(UInt8(ascii: character)) }

  mutating func append(_ number: Int, digits: Int) {
    if digits > 1 { append(number / 10, digits: digits - 1) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  mutating func append(_ date: CivilDate) {
    append(date.year, digits: 4)
    append("-")
    append(date.month, digits: 2)
    append("-")
    append(date.day, digits: 2)
  }

  mutating func append(_ time: CivilTime) {
    append(time.hour, digits: 2)
    append(":")
    append(time.minute, digits: 2)
    append(":")
    append(time.second, digits: 2)
  }

  mutating func append(_ both: CivilDateTime) {
    append(both.date)
    append("T")
    append(both.time)
  }

  /// Appends `+01:00`, with seconds only if they are not zero.
  mutating func append(_ offset: UTCOffset) {
    let seconds = abs(offset.seconds)
    append(offset.seconds < 0 ? "-" : "+")
    append(seconds / 3600, digits: 2)
    append(":")
    append(seconds / 60 % 60, digits: 2)
    if seconds % 60 != 0 {
      append(":")
      append(seconds % 60, digits: 2)
    }
  }
}

extension CivilText {
  /// Parses from the front; each function returns nil, and leaves the position undefined, if the text does not match.
  struct Reader: ~Copyable {
    private let bytes: [UInt8]
    private var place = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { place == bytes.count }

    /// Takes the next character if it is one of these.
    mutating func take(_ characters: Unicode.Scalar...) -> Unicode.Scalar? {
      guard place < bytes.count else { return nil }
      let next = Unicode.Scalar(bytes[place])
      guard characters.contains(next) else { return nil }
      place += 1
      return next
    }

    mutating func number(digits: Int) -> Int? {
      guard place + digits <= bytes.count else { return nil }
      var number = 0
      for byte in bytes[place..<place + digits] {
        guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
        number = number * 10 + Int(byte - UInt8(ascii: "0"))
      }
      place += digits
      return number
    }

    mutating func date() -> CivilDate? {
      guard let year = number(digits: 4), take("-") != nil, let month = number(digits: 2), take("-") != nil,
        let day = number(digits: 2)
      else { return nil }
      return CivilDate(year: year, month: month, day: day)
    }

    mutating func time(secondsMayLack: Bool) -> CivilTime? {
      guard let hour = number(digits: 2), take(":") != nil, let minute = number(digits: 2) else { return nil }
      guard take(":") != nil else { return secondsMayLack ? CivilTime(hour: hour, minute: minute) : nil }
      guard let second = number(digits: 2) else { return nil }
      return CivilTime(hour: hour, minute: minute, second: second)
    }

    mutating func dateTime(secondsMayLack: Bool) -> CivilDateTime? {
      guard let date = date(), take("T", "t", " ") != nil, let time = time(secondsMayLack: secondsMayLack)
      else { return nil }
      return CivilDateTime(date, time)
    }

    /// Skips the digits of a fractional second.
    mutating func skipDigits() -> Bool {
      let start = place
      while place < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[place] { place += 1 }
      return place > start
    }
  }
}

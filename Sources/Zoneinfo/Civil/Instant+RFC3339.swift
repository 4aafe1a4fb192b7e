// SPDX-License-Identifier: Apache-2.0

/// Formats and parses [RFC 3339](https://www.rfc-editor.org/rfc/rfc3339#section-5.6).
extension Instant: CustomStringConvertible {
  /// Formats as `2026-11-21T07:30:00+01:00`; nil outside the years 1 to 9999.
  ///
  /// RFC 3339 offsets have no seconds (Paris was at +00:09:21 until 1911): they are dropped from the local time as
  /// well, so that the text still means the same instant.
  public func rfc3339(at offset: UTCOffset) -> String? {
    let offset = UTCOffset(unchecked: offset.seconds / 60 * 60)
    guard let civil = civil(at: offset) else { return nil }
    return CivilText.string {
      $0.append(civil)
      $0.append(offset)
    }
  }

  /// In UTC: `2026-11-21T06:30:00Z`, or `@` and the seconds outside the years 1 to 9999.
  public var description: String {
    guard let civil = civil(at: .utc) else { return "@\(seconds)" }
    return CivilText.string {
      $0.append(civil)
      $0.append("Z")
    }
  }

  /// Parses a date and time with `Z` or an offset. Drops fractional seconds; a leap second becomes the next second.
  public init?(rfc3339 text: String) {
    var text = CivilText.Reader(text)
    guard let date = text.date(), text.take("T", "t", " ") != nil,
      let hour = text.number(digits: 2), text.take(":") != nil,
      let minute = text.number(digits: 2), text.take(":") != nil,
      let second = text.number(digits: 2),
      let time = CivilTime(hour: hour, minute: minute, second: min(second, 59)),
      text.take(".") == nil || text.skipDigits(),
      let offset = text.rfc3339Offset(), text.isAtEnd
    else { return nil }
    let instant = Instant(CivilDateTime(date, time), at: offset)
    switch second {
    case 0...59: self = instant
    // A leap second is always the last second of a UTC day.
    case 60 where instant.adding(seconds: 1).seconds % 86_400 == 0: self = instant.adding(seconds: 1)
    default: return nil
    }
  }
}

extension CivilText.Reader {
  /// Parses `Z`, or `+hh:mm` up to 23:59; `-00:00` means UTC.
  fileprivate mutating func rfc3339Offset() -> UTCOffset? {
    guard let sign = take("Z", "z", "+", "-") else { return nil }
    if sign == "Z" || sign == "z" { return .utc }
    guard let hours = number(digits: 2), hours < 24, take(":") != nil, let minutes = number(digits: 2), minutes < 60
    else { return nil }
    let seconds = (hours * 60 + minutes) * 60
    return UTCOffset(seconds: sign == "-" ? -seconds : seconds)
  }
}

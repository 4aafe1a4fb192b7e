// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Timestamps in RFC 3339 format, in the machine's time zone.
enum Timestamp {
  static var now: String { text(time(nil)) }

  static func text(_ instant: time_t) -> String {
    var instant = instant
    var parts = tm()
    localtime_r(&instant, &parts)
    func two(_ number: some BinaryInteger) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let date = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    let offset = abs(parts.tm_gmtoff) / 60
    return "\(date)T\(clock)\(parts.tm_gmtoff < 0 ? "-" : "+")\(two(offset / 60)):\(two(offset % 60))"
  }
}

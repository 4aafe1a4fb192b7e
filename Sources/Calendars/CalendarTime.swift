// SPDX-License-Identifier: Apache-2.0
package import Zoneinfo

/// A date, or a date and time, in a calendar.
package struct CalendarTime: Equatable {
  /// Wall-clock time; midnight for a date.
  package var wall: CivilDateTime
  /// An IANA name or `UTC`; nil for floating time.
  package var zone: String?
  var isDate = false

  /// Reads `20261124`, `20261124T073000`, `20261124T063000Z`.
  init?(_ text: String, zone: String?) {
    let digits = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard digits.count >= range.upperBound,
        digits[range].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      else { return nil }
      return digits[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
    guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    if digits.count == 8 {
      self.init(wall: CivilDateTime(date, .midnight), zone: nil, isDate: true)
      return
    }
    let isUTC = digits.count == 16 && digits[15] == UInt8(ascii: "Z")
    guard digits.count == 15 || isUTC, digits[8] == UInt8(ascii: "T"), let hour = number(9..<11),
      let minute = number(11..<13), let second = number(13..<15), second <= 60,
      let time = CivilTime(hour: hour, minute: minute, second: min(second, 59))
    else { return nil }
    self.init(wall: CivilDateTime(date, time), zone: isUTC ? "UTC" : zone)
  }

  package init(wall: CivilDateTime, zone: String?, isDate: Bool = false) {
    (self.wall, self.zone, self.isDate) = (wall, zone, isDate)
  }

  /// The same instant on another zone's clock; floating times stay the same.
  func wall(in other: String?, _ zones: CalendarZones) -> CivilDateTime {
    guard !isDate, let zone, let other, zone != other, let from = zones.rules(zone), let to = zones.rules(other) else {
      return wall
    }
    return to.civil(at: from.resolve(wall)) ?? wall
  }

  /// In iCalendar format.
  package var text: String { Self.text(wall, isDate: isDate) + (zone == "UTC" ? "Z" : "") }

  package static func text(_ wall: CivilDateTime, isDate: Bool = false) -> String {
    let digits = "\(wall.date)T\(wall.time)".filter { $0 != "-" && $0 != ":" }
    return isDate ? String(digits.prefix(8)) : digits
  }

  /// In the format of a request.
  static func words(_ wall: CivilDateTime) -> String { "\(wall.date) \(wall.time)" }
}

/// Resolves a calendar's zone names.
struct CalendarZones {
  private var locations: [String: String] = [:]
  /// The zone of this machine.
  let local: ZoneRules
  private let files: ZoneCache
  private let library: ICalLibrary?

  init(
    _ calendar: CalendarComponent, _ library: ICalLibrary? = nil, local: ZoneRules = .utc,
    files: ZoneCache = ZoneCache()
  ) {
    self.library = library
    self.local = local
    self.files = files
    for zone in calendar.children("VTIMEZONE") {
      guard let id = zone.line("TZID")?.value else { continue }
      locations[id] = zone.line("X-LIC-LOCATION")?.value
    }
  }

  /// The IANA name: the id itself, its end (`/citadel.org/20260101_1/Europe/Paris`), the location in its `VTIMEZONE`,
  /// or that of a zone of Windows; nil if none is known.
  func name(of id: String) -> String? {
    for candidate in [id, locations[id]].compactMap(\.self) {
      var parts = candidate.split(separator: "/")[...]
      while !parts.isEmpty {
        let name = parts.joined(separator: "/")
        if rules(name) != nil { return name }
        parts = parts.dropFirst()
      }
    }
    return library?.zone(forWindows: id).flatMap { rules($0) == nil ? nil : $0 }
  }

  func rules(_ name: String) -> ZoneRules? { files.rules(name) }
}

/// The zones that calendars have named. Each event asks for its zone several times, and reading its file takes a
/// hundred times as long as the rest.
package final class ZoneCache {
  private var known: [String: ZoneRules?] = [:]
  /// Most calendars name a few; one with many must not fill the memory.
  private static let most = 100

  /// An empty cache.
  package init() {}

  /// The rules of a zone; nil if there is no such zone.
  func rules(_ name: String) -> ZoneRules? {
    if let rules = known[name] { return rules }
    if known.count >= Self.most { known = [:] }
    let rules = ZoneDatabase.system.knownZone(name)?.rules
    known[name] = .some(rules)
    return rules
  }
}

/// A duration in a calendar: days follow the clock, the rest is elapsed time.
struct CalendarDuration: Equatable {
  var days = 0
  var seconds = 0

  init(days: Int = 0, seconds: Int = 0) { (self.days, self.seconds) = (days, seconds) }

  var total: Int { days * 86_400 + seconds }

  /// A hundred years in seconds.
  private static let longest = 3_155_760_000

  /// Reads `-PT15M`, `P1DT2H`, `P2W`; rejects more than a hundred years.
  init?(_ text: String) {
    var rest = text[...]
    let isNegative = rest.first == "-"
    if isNegative || rest.first == "+" { rest = rest.dropFirst() }
    guard rest.popFirst() == "P", !rest.isEmpty else { return nil }
    var isTime = false
    // 'PT' and 'P1DT' end without a number.
    if rest.last == "T" { return nil }
    while let first = rest.first {
      if first == "T", !isTime {
        isTime = true
        rest = rest.dropFirst()
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest[digits.endIndex...]
      guard let number = Int(digits), number <= Self.longest, let unit = rest.popFirst() else { return nil }
      switch (unit, isTime) {
      case ("W", false): days += 7 * number
      // Nextcloud's birthdays had `-PT1D`.
      case ("D", _): days += number
      case ("H", true): seconds += 3600 * number
      case ("M", true): seconds += 60 * number
      // calcurse writes `-P300S`.
      case ("S", _): seconds += number
      default: return nil
      }
      // Each part counts: a line may have thousands of them, and their sum must not overflow.
      guard days <= Self.longest / 86_400, seconds <= Self.longest, total <= Self.longest else { return nil }
    }
    if isNegative { (days, seconds) = (-days, -seconds) }
  }
}

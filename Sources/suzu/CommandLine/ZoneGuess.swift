// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// The time zone that a user may mean by a city, an abbreviation or a misspelt name.
enum ZoneGuess {
  /// A zone with that city, or with a similar name.
  static func zone(_ text: String) -> String? {
    if let zone = fixed(text) { return zone }
    let typed = text.lowercased().replacing(" ", with: "_")
    let names = ZoneDatabase.system.names()
    func city(_ name: String) -> String { name.split(separator: "/").last.map { $0.lowercased() } ?? "" }
    if let name = names.first(where: { $0.lowercased() == typed || city($0) == typed }) { return name }
    let near = names.map { name in
      (name: name, distance: min(name.lowercased().distance(to: typed), city(name).distance(to: typed)))
    }
    guard let best = near.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
    return best.distance <= 2 && 3 * best.distance <= typed.count ? best.name : nil
  }

  /// What is wrong with a zone that is named like an abbreviation, such as `EST`: its clocks know no summer time.
  ///
  /// - Parameter every: an expression, whose last word may be the zone.
  static func warning(zone: String?, every: String? = nil) -> String? {
    let name = zone ?? every.flatMap { (try? CalendarExpression.parse($0))?.zone }
    guard let name, let city = ZoneAbbreviation.city(of: name), let typed = ZoneDatabase.system.knownZone(name),
      let meant = ZoneDatabase.system.knownZone(city),
      // January and July of 2030.
      [1_894_000_000, 1_910_000_000].contains(where: { second in
        typed.rules.offset(at: Instant(second)) != meant.rules.offset(at: Instant(second))
      })
    else { return nil }
    return "the zone '\(name)' has no summer time; for clocks that have it, write \(city)"
  }

  /// The zone with a fixed offset in whole hours: `Etc/GMT-2` for `GMT+2`, `UTC+02:00` and `+0200`. Its name has the
  /// opposite sign, because it follows POSIX.
  static func fixed(_ text: String) -> String? {
    var rest = text.uppercased()[...]
    if rest.hasPrefix("UTC") || rest.hasPrefix("GMT") { rest = rest.dropFirst(3) }
    guard let sign = rest.popFirst(), "+-".contains(sign) else { return nil }
    let digits = rest.replacing(":", with: "", maxReplacements: 1)
    guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
      let number = Int(digits)
    else { return nil }
    let hours = digits.utf8.count > 2 ? number / 100 : number
    guard digits.utf8.count <= 2 || number % 100 == 0, 1...(sign == "+" ? 14 : 12) ~= hours else { return nil }
    return "Etc/GMT\(sign == "+" ? "-" : "+")\(hours)"
  }

  /// The zone of the words at the end of a time, such as `8:00 PST` or `8:00 New York`, and the words before it.
  ///
  /// - Parameter isTime: whether a text is a time without a zone.
  static func split(_ text: String, isTime: (String) -> Bool) -> (time: String, zone: String)? {
    let words = text.split(separator: " ").map(String.init)
    guard words.count > 1 else { return nil }
    for count in 1...min(3, words.count - 1) {
      let (rest, last) = (words.dropLast(count).joined(separator: " "), words.suffix(count).joined(separator: " "))
      guard last.first?.isLetter == true || fixed(last) != nil, isTime(rest), let zone = exact(last) else { continue }
      return (rest, zone)
    }
    return nil
  }

  /// The zone with exactly this city, name or abbreviation, apart from its case.
  private static func exact(_ text: String) -> String? {
    if let city = ZoneAbbreviation.city(of: text) ?? fixed(text) { return city }
    let names = ZoneDatabase.system.names()
    if names.contains(text) { return text }
    let typed = text.lowercased().replacing(" ", with: "_")
    return names.first { name in
      name.lowercased() == typed || name.split(separator: "/").last.map { $0.lowercased() } == typed
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import NotificationModel

/// The dates of a notification in the older form.
struct LocalSchedule {
  private let date: Date
  /// Its zone in the words of the center: nil for that of the machine, wherever it is.
  private let zone: String?
  private let calendar: Calendar
  private let unit: NSCalendar.Unit

  /// Nil for now: there is no date, or a single one that has passed.
  init?(_ values: UILocalNotification.Values) {
    guard let date = values.fireDate, date > Date() || !values.repeatInterval.isEmpty else { return nil }
    self.date = date
    unit = values.repeatInterval
    var calendar = values.repeatCalendar ?? Calendar(identifier: .gregorian)
    if let timeZone = values.timeZone {
      calendar.timeZone = timeZone
      // A time of the clock goes with the machine into another zone.
      zone = timeZone.identifier == TimeZone.current.identifier ? nil : timeZone.identifier
    } else {
      calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
      zone = "UTC"
    }
    self.calendar = calendar
  }

  /// The schedule; throws if the center cannot keep it.
  func made() throws(RequestError) -> Schedule {
    let parts = calendar.dateComponents([.year, .month, .day, .weekday, .hour, .minute, .second], from: date)
    let start = try Self.text(parts)
    if unit.isEmpty { return try Schedule.at(start, zone: zone) }
    guard calendar.identifier == .gregorian || calendar.identifier == .iso8601 else {
      throw RequestError("repeatCalendar", "must be the Gregorian calendar")
    }
    if unit == .quarter { return try Schedule.rule("FREQ=MONTHLY;INTERVAL=3", zone: zone, from: start) }
    return try Schedule.repeating(.match(try words(parts)), zone: zone, from: start)
  }

  private func words(_ parts: DateComponents) throws(RequestError) -> [String: Int] {
    var words = ["second": parts.second ?? 0]
    if unit == .minute { return words }
    words["minute"] = parts.minute
    if unit == .hour { return words }
    words["hour"] = parts.hour
    switch unit {
    case .day, .weekday: break
    case .weekOfYear, .weekOfMonth, .weekdayOrdinal: words["weekday"] = parts.weekday
    case .month: words["day"] = parts.day
    case .year: (words["month"], words["day"]) = (parts.month, parts.day)
    default: throw RequestError("repeatInterval", "must be a unit from a minute to a year")
    }
    return words
  }

  private static func text(_ parts: DateComponents) throws(RequestError) -> String {
    func digits(_ number: Int?, _ count: Int) -> String {
      let text = String(number ?? 0)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return
      "\(digits(parts.year, 4))-\(digits(parts.month, 2))-\(digits(parts.day, 2)) "
      + "\(digits(parts.hour, 2)):\(digits(parts.minute, 2)):\(digits(parts.second, 2))"
  }
}

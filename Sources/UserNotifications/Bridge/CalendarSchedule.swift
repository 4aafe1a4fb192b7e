// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// The dates that have some components, in the words of the center. `Calendar` computes none of them, except for those
/// of other calendars than the Gregorian one: it skips a whole day where clocks skip a part of an hour, and ignores the
/// time zone of the components.
extension DateComponents {
  /// The schedule of these components. Throws if there is no date to come, or if the center cannot keep it.
  func schedule(repeats: Bool, after date: Date = Date()) throws(UNError) -> Schedule {
    let schedule = try schedule(repeats: repeats, from: date)
    guard try Self.first(of: schedule, after: date) != nil else { throw Self.noDate(nil) }
    return schedule
  }

  /// The first date with these components after a moment; nil if there is none.
  func nextMatch(after date: Date) -> Date? {
    guard let schedule = try? schedule(repeats: false, from: date) else { return nil }
    return (try? Self.first(of: schedule, after: date)) ?? nil
  }

  private static func noDate(_ why: String?) -> UNError {
    UNError(
      .notificationInvalidNoDate, "the calendar trigger has no date to come" + (why.map { ": \($0)" } ?? ""))
  }

  // MARK: Words

  private func schedule(repeats: Bool, from date: Date) throws(UNError) -> Schedule {
    let known: Set<Calendar.Identifier> = [.gregorian, .iso8601]
    if let calendar, !known.contains(calendar.identifier) {
      return try schedule(of: calendar, repeats: repeats, from: date)
    }
    do throws(RequestError) {
      let zone = try timeZone.map { (zone) throws(RequestError) in try zone.nameOfFile }
      return repeats
        ? try Schedule.repeating(.match(words), zone: zone) : try Schedule.match(words, zone: zone)
    } catch {
      throw Self.noDate(error.description)
    }
  }

  /// The components that the center matches. Where the year, the month and the day are given, the others follow from
  /// them, and some are wrong in components that come from a date.
  private var words: [String: Int] {
    var words = given
    words["nanosecond"] = nil
    if words["year"] != nil, words["month"] != nil, words["day"] != nil {
      for name in ["quarter", "weekdayOrdinal", "weekOfMonth", "weekOfYear", "yearForWeekOfYear", "dayOfYear"] {
        words[name] = nil
      }
    }
    if words["quarter"] == 0 { words["quarter"] = nil }
    return words
  }

  /// The next date of another calendar, as a moment. Such dates are not repeated: the center knows the Gregorian
  /// calendar.
  private func schedule(of calendar: Calendar, repeats: Bool, from date: Date) throws(UNError) -> Schedule {
    if repeats {
      throw UNError(
        .notificationInvalidNoDate, "a calendar trigger that repeats must use the Gregorian calendar")
    }
    var calendar = calendar
    if let timeZone { calendar.timeZone = timeZone }
    guard let next = calendar.nextDate(after: date, matching: self, matchingPolicy: .nextTime) else {
      throw Self.noDate(nil)
    }
    do throws(RequestError) { return try Schedule.at(next.moment.description) } catch {
      throw Self.noDate(error.description)
    }
  }

  // MARK: Dates

  private static func first(of schedule: Schedule, after date: Date) throws(UNError) -> Date? {
    let now = date.moment
    var search = DateSearch()
    do throws(TriggerError) {
      guard let trigger = try schedule.trigger(made: now, rules: ZoneRules.named) else { return nil }
      let next = try trigger.next(after: now, in: try ZoneRules.named(trigger.zone), &search)
      return next.map { Date($0.instant) }
    } catch {
      throw noDate(error.description)
    }
  }
}

extension TimeZone {
  /// The name of the zone's file. A zone that is only an offset, such as `GMT+0200`, has one if the offset is of whole
  /// hours.
  fileprivate var nameOfFile: String {
    get throws(RequestError) {
      if ZoneDatabase.system.knownZone(identifier) != nil { return identifier }
      let offset = secondsFromGMT()
      if offset % 3600 == 0, -12...14 ~= offset / 3600 {
        let hours = offset / 3600
        // Files with these names count to the west.
        return hours == 0 ? "UTC" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"
      }
      throw RequestError("zone", "'\(identifier)' is not in the time zone files of the system")
    }
  }
}

extension ZoneRules {
  /// The rules of a named zone, or of the machine.
  fileprivate static func named(_ name: String?) throws(TriggerError) -> ZoneRules {
    do throws(ZoneError) {
      guard let name else { return try SystemZone.current.read().zone.rules }
      return try ZoneDatabase.system.zone(named: name).rules
    } catch {
      throw TriggerError(error)
    }
  }
}

extension Date {
  /// The second in which it is.
  var moment: Instant { Instant(Int64(exactly: timeIntervalSince1970.rounded(.down)) ?? .max) }

  init(_ instant: Instant) { self.init(timeIntervalSince1970: TimeInterval(instant.seconds)) }

  /// Reads a date in the form of listings.
  init?(listed text: String?) {
    guard let text, let instant = Instant(rfc3339: text) else { return nil }
    self.init(instant)
  }
}

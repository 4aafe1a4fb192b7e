// SPDX-License-Identifier: Apache-2.0
internal import CoreLocation
internal import Foundation
internal import NotificationModel

/// Triggers as schedules of the center.
extension UNNotificationTrigger {
  /// The schedule of a trigger; throws if it has no date to come.
  static func schedule(of trigger: UNNotificationTrigger?) throws(UNError) -> Schedule {
    switch trigger {
    case nil: return .now
    case let interval as UNTimeIntervalNotificationTrigger: return try interval.schedule()
    case let calendar as UNCalendarNotificationTrigger:
      return try calendar.dateComponents.schedule(repeats: calendar.repeats)
    case let location as UNLocationNotificationTrigger: return try location.schedule()
    case let scheduled as ScheduledTrigger: return scheduled.schedule
    case let other?:
      throw UNError(
        .notificationInvalidNoDate, "a request cannot have a \(Swift.type(of: other)): nothing would deliver it")
    }
  }
}

extension UNTimeIntervalNotificationTrigger {
  fileprivate func schedule() throws(UNError) -> Schedule {
    if let problem { throw UNError(.notificationInvalidNoDate, problem) }
    // The center counts whole seconds.
    let pause = Duration.seconds(Int64(timeInterval.rounded(.up)))
    do throws(RequestError) {
      return repeats ? try Schedule.repeating(.after(pause)) : try Schedule.in(pause)
    } catch {
      throw UNError(.notificationInvalidNoDate, error.description)
    }
  }
}

extension UNLocationNotificationTrigger {
  fileprivate func schedule() throws(UNError) -> Schedule {
    let edge: Condition.Edge
    switch (region.notifyOnEntry, region.notifyOnExit) {
    case (true, true): edge = .change
    case (true, false): edge = .enter
    case (false, true): edge = .leave
    case (false, false):
      throw UNError(.notificationInvalidNoDate, "the region notifies neither on entry nor on exit")
    }
    do throws(RequestError) {
      return try Schedule.on(try Condition("\(edge.prefix)\(try subject())"), repeats: repeats)
    } catch {
      throw UNError(.notificationInvalidNoDate, error.description)
    }
  }

  private func subject() throws(RequestError) -> String {
    switch region {
    case let circle as CLCircularRegion:
      guard circle.radius.isFinite, CLLocationCoordinate2DIsValid(circle.center) else {
        throw RequestError("region", "is no circle on the earth")
      }
      return Condition.Subject.place(
        .circle(latitude: circle.center.latitude, longitude: circle.center.longitude, radius: circle.radius)
      ).text
    case let beacon as CLBeaconRegion:
      return ["beacon", beacon.uuid.uuidString, beacon.major?.stringValue, beacon.minor?.stringValue]
        .compactMap { $0 }.joined(separator: " ")
    default: throw RequestError("region", "must be a circle or beacons, not a \(type(of: region))")
    }
  }
}

extension Condition.Edge {
  fileprivate var prefix: String { self == .enter ? "" : rawValue + " " }
}

// MARK: Keeping

extension UNNotificationTrigger {
  private enum Kind: String {
    case interval, calendar, location, push
  }

  /// What it is kept as, with its class.
  /// Nil for one that the listing of the center says.
  var keptWithClass: KeptValues? {
    let kind: Kind
    switch self {
    case is ScheduledTrigger: return nil
    case is UNTimeIntervalNotificationTrigger: kind = .interval
    case is UNCalendarNotificationTrigger: kind = .calendar
    case is UNLocationNotificationTrigger: kind = .location
    default: kind = .push
    }
    return KeptValues(kept.values.merging(["kind": kind.rawValue]) { $1 })
  }

  /// Reads a trigger; nil if it is none that this version knows.
  ///
  /// - Parameter date: its next date, as the center tells it.
  static func trigger(kept: KeptValues, toldDate date: Date?) -> UNNotificationTrigger? {
    let repeats = kept["repeats"] == true
    switch kept.text("kind").flatMap(Kind.init) {
    case .interval:
      return kept.number("timeInterval").map {
        UNTimeIntervalNotificationTrigger(timeInterval: $0, repeats: repeats, toldDate: date)
      }
    case .calendar:
      return kept.values("components").map {
        UNCalendarNotificationTrigger(dateMatching: DateComponents(kept: $0), repeats: repeats, toldDate: date)
      }
    case .location:
      return kept.values("region").flatMap { CLRegion.region(kept: $0.values) }
        .map { UNLocationNotificationTrigger(region: $0, repeats: repeats) }
    case .push: return UNPushNotificationTrigger(repeats: repeats)
    case nil: return nil
    }
  }

  static func trigger(kept: KeptValues) -> UNNotificationTrigger? { trigger(kept: kept, toldDate: nil) }

  /// The trigger of a request that another program made.
  static func trigger(of schedule: Schedule, toldDate date: Date?) -> UNNotificationTrigger? {
    switch schedule.dates {
    case .now: return nil
    case .repeating(let repetition):
      switch repetition.pattern {
      case .after(let pause):
        return UNTimeIntervalNotificationTrigger(timeInterval: pause / .seconds(1), repeats: true, toldDate: date)
      case .match(let words): return calendar(words, zone: schedule.zone, repeats: true, date)
      case .every, .rule: return single(date)
      }
    case .match(let words, _): return calendar(words, zone: schedule.zone, repeats: false, date)
    case .on(let occasions):
      guard let region = CLRegion.region(of: occasions.condition) else { return nil }
      return UNLocationNotificationTrigger(region: region, repeats: occasions.repeats)
    case .after, .at: return single(date)
    }
  }

  private static func calendar(_ words: [String: Int], zone: String?, repeats: Bool, _ date: Date?)
    -> UNNotificationTrigger
  {
    var components = DateComponents(kept: KeptValues(words))
    components.timeZone = zone.flatMap { TimeZone(identifier: $0) }
    return UNCalendarNotificationTrigger(dateMatching: components, repeats: repeats, toldDate: date)
  }

  /// A trigger for one date.
  private static func single(_ date: Date?) -> UNNotificationTrigger? {
    guard let date else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
    var components = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
    components.timeZone = calendar.timeZone
    return UNCalendarNotificationTrigger(dateMatching: components, repeats: false, toldDate: date)
  }
}

extension CLRegion {
  fileprivate static func region(of condition: Condition) -> CLRegion? {
    let region: CLRegion
    switch condition.subject {
    case .place(.circle(let latitude, let longitude, let radius)):
      region = CLCircularRegion(
        center: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), radius: radius,
        identifier: condition.subject.text)
    case .beacon(let beacon):
      guard let uuid = UUID(uuidString: beacon.uuid) else { return nil }
      switch (beacon.major.flatMap { UInt16(exactly: $0) }, beacon.minor.flatMap { UInt16(exactly: $0) }) {
      case (let major?, let minor?):
        region = CLBeaconRegion(uuid: uuid, major: major, minor: minor, identifier: condition.subject.text)
      case (let major?, nil): region = CLBeaconRegion(uuid: uuid, major: major, identifier: condition.subject.text)
      default: region = CLBeaconRegion(uuid: uuid, identifier: condition.subject.text)
      }
    default: return nil
    }
    region.notifyOnEntry = condition.edge != .leave
    region.notifyOnExit = condition.edge != .enter
    return region
  }
}

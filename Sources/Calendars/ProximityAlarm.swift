// SPDX-License-Identifier: Apache-2.0
package import NotificationModel
internal import SystemFiles

/// An alarm that waits for a place: `PROXIMITY` of [RFC 9074](https://www.rfc-editor.org/rfc/rfc9074#section-8), or
/// Apple's `X-APPLE-PROXIMITY`. Its TRIGGER is a date in the past that means nothing.
package struct ProximityAlarm {
  private let line: ContentLine
  private let alarm: CalendarComponent

  /// The radius of a place that comes without one, in metres.
  private static let usualRadius = 200.0
  /// GeoClue is rarely more accurate, and Apple writes 0 for a place that it looks up.
  private static let smallestRadius = 50.0
  /// The date that RFC 9074 and Apple write.
  private static let dummyTrigger = "TRIGGER;VALUE=DATE-TIME:19760401T005545Z"

  /// Nil for an alarm with a time.
  init?(_ alarm: CalendarComponent) {
    guard let line = alarm.line("PROXIMITY") ?? alarm.line("X-APPLE-PROXIMITY") else { return nil }
    (self.line, self.alarm) = (line, alarm)
  }

  // MARK: Reading

  func reminder(
    number: Int, of item: CalendarComponent, zones: CalendarZones, _ library: ICalLibrary, app: String
  ) throws(CalendarError) -> CalendarReader.Reminder {
    let values = CalendarValues(zones: zones, library: library)
    var words = AlarmText(item: item, alarm: alarm, values: values).words(isKept: false)
    let id = CalendarEvent.id(of: item, start: "")
    words["app"] = .text(app)
    words["id"] = .text(number == 0 ? id : "\(id)#\(number + 1)")
    words["on"] = .text(try condition().text)
    return CalendarReader.Reminder(words: words, line: alarm.number)
  }

  private func condition() throws(CalendarError) -> Condition {
    let edge: Condition.Edge
    switch line.value.uppercased() {
    case "ARRIVE": edge = .enter
    case "DEPART": edge = .leave
    case "CONNECT", "DISCONNECT":
      throw CalendarError(line, "an alarm for the Bluetooth of a car has no equivalent")
    default: throw CalendarError(line, "\(line.name) must be ARRIVE or DEPART")
    }
    let place = try location()
    guard let geo = GeoAddress(place.value) else {
      throw CalendarError(place, "a position such as geo:52.52,13.405 is expected here")
    }
    let given = place.parameters["X-APPLE-RADIUS"].flatMap { Double($0) } ?? geo.uncertainty
    let radius = max(Self.smallestRadius, given.map { $0 > 0 ? $0 : Self.usualRadius } ?? Self.usualRadius)
    do throws(RequestError) {
      return try Condition(
        .place(.circle(latitude: geo.latitude, longitude: geo.longitude, radius: radius.rounded(.up))), edge)
    } catch {
      throw CalendarError(place, "\(error.problem)")
    }
  }

  private func location() throws(CalendarError) -> ContentLine {
    if let line = alarm.line("X-APPLE-STRUCTURED-LOCATION") { return line }
    let lines = alarm.children("VLOCATION").compactMap { $0.line("URL") }
    guard let line = lines.first(where: { GeoAddress($0.value) != nil }) ?? lines.first else {
      throw CalendarError(line, "this alarm has \(line.name), but no place")
    }
    return line
  }

  // MARK: Writing

  /// The lines of an alarm for a condition, as RFC 9074 has them; nil if that is not a circle on the earth.
  package static func lines(
    for condition: Condition, named places: [String: NamedPlace], _ library: ICalLibrary
  ) -> (trigger: String, place: [String])? {
    var name: String?
    let (latitude, longitude, radius): (Double, Double, Double)
    switch condition.subject {
    case .place(.circle(let north, let east, let metres)): (latitude, longitude, radius) = (north, east, metres)
    case .place(.named(let known)):
      guard let place = places[known] else { return nil }
      (name, latitude, longitude, radius) = (known, place.latitude, place.longitude, place.radius)
    default: return nil
    }
    guard condition.edge != .change else { return nil }
    var place = ["PROXIMITY:" + (condition.edge == .enter ? "ARRIVE" : "DEPART"), "BEGIN:VLOCATION"]
    place.append("UID:\(latitude),\(longitude)".replacing(",", with: "/"))
    if let name { place.append("NAME:\(library.escaped(name))") }
    place += ["URL:geo:\(latitude),\(longitude);u=\(radius)", "END:VLOCATION"]
    return (dummyTrigger, place)
  }
}

/// A `geo:` address, by [RFC 5870](https://www.rfc-editor.org/rfc/rfc5870).
struct GeoAddress: Equatable {
  let latitude: Double
  let longitude: Double
  /// In metres.
  let uncertainty: Double?

  init?(_ text: String) {
    guard text.prefix(4).lowercased() == "geo:" else { return nil }
    let parts = text.dropFirst(4).split(separator: ";", omittingEmptySubsequences: false)
    let numbers = (parts.first ?? "").split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard 2...3 ~= numbers.count, let latitude = numbers[0], let longitude = numbers[1], abs(latitude) <= 90,
      abs(longitude) <= 180
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    uncertainty = parts.dropFirst().first { $0.lowercased().hasPrefix("u=") }.flatMap { Double($0.dropFirst(2)) }
  }
}

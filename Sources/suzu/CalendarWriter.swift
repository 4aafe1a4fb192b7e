// SPDX-License-Identifier: Apache-2.0
internal import Calendars
internal import CenterClient
internal import NotificationModel
internal import SystemFiles
internal import Triggers
internal import Zoneinfo

/// Writes pending requests as a calendar: one event each, with an alarm at its start. Words that iCalendar lacks are
/// stored in an extra property for `suzu import`.
struct CalendarWriter {
  private let library: ICalLibrary
  private let clock: LocalTime
  private var lines: [String] = []
  private var zones: [String] = []
  /// The places that requests name.
  private let places: [String: NamedPlace]
  /// The lines of alarms that libical does not know, by the line that stands for them.
  private var unknownLines: [String: [String]] = [:]
  /// Ids of requests whose repetition iCalendar cannot express.
  private(set) var unsupported: [String] = []

  init(library: ICalLibrary, clock: LocalTime, places: [NamedPlace] = []) {
    (self.library, self.clock) = (library, clock)
    self.places = Dictionary(places.map { ($0.name, $0) }) { $1 }
  }

  /// The file's text; nil if libical rejects it.
  var text: String? {
    let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//suzu//suzu \(ProductVersion.text)//EN"]
    guard let text = library.written(head + zones.flatMap(library.zone) + lines + ["END:VCALENDAR"]) else { return nil }
    if unknownLines.isEmpty { return text }
    return text.split(separator: "\r\n", omittingEmptySubsequences: false).flatMap { line in
      unknownLines[String(line)]?.map(Self.folded) ?? [String(line)]
    }.joined(separator: "\r\n")
  }

  /// At most 75 bytes in a line; what continues it begins with a blank.
  private static func folded(_ line: String) -> String {
    var (folded, length) = ("", 0)
    for letter in line {
      if length + letter.utf8.count > 74 { (folded, length) = (folded + "\r\n ", 1) }
      folded.append(letter)
      length += letter.utf8.count
    }
    return folded
  }

  mutating func add(_ row: ListedRequest) throws(CommandError) {
    let request: NotificationRequest
    do throws(RequestError) { request = try row.settledRequest() } catch {
      throw .data("'\(PrintableText.line(row.id, atMost: 120))' cannot be read: \(error)")
    }
    let event = Event(request, next: row.next.flatMap { Instant(rfc3339: $0) }, clock)
    let isPlace = if case .place? = request.schedule.occasions?.condition.subject { true } else { false }
    if event.isStandIn && !isPlace { unsupported.append(row.id) }
    if let zone = event.zone, zone != "UTC", !zones.contains(zone) { zones.append(zone) }
    func text(_ name: String, _ text: String?) {
      if let text, !text.isEmpty { lines.append("\(name):\(library.escaped(text))") }
    }
    lines.append("BEGIN:VEVENT")
    text("UID", request.app == .suzu ? row.id : "\(row.id)@\(request.app)")
    lines.append("DTSTAMP:" + CalendarTime.text(clock.now.civil(at: .utc) ?? .first) + "Z")
    lines += event.lines
    text("SUMMARY", request.content.title)
    text("DESCRIPTION", request.content.body)
    if let url = request.content.url { lines.append("URL:\(url)") }
    lines.append("\(KeptWords.name);\(KeptWords.start)=\(event.start):\(PercentCoding.encoded(request.json))")
    let proximity = request.schedule.occasions.flatMap {
      ProximityAlarm.lines(for: $0.condition, named: places, library)
    }
    lines += ["BEGIN:VALARM", "ACTION:DISPLAY", proximity?.trigger ?? "TRIGGER:PT0S"]
    text("DESCRIPTION", request.content.title.isEmpty ? request.content.body : request.content.title)
    if let proximity {
      let place = "X-SUZU-PLACE:\(unknownLines.count)"
      unknownLines[place] = proximity.place
      lines.append(place)
    }
    lines += ["END:VALARM", "END:VEVENT"]
  }
}

extension ListedRequest {
  /// The request in words that do not depend on the current time: a relative delay becomes its date.
  func settledRequest() throws(RequestError) -> NotificationRequest {
    var request = try request()
    if case .after = request.schedule.dates, let next = next.flatMap({ Instant(rfc3339: $0) }) {
      let schedule = request.schedule
      request.schedule = try .at(next.description).whenMissed(schedule.missed, grace: schedule.grace)
        .waking(schedule.wake)
    }
    return request
  }
}

/// A request's schedule in iCalendar terms.
private struct Event {
  private(set) var lines: [String] = []
  /// The value of `DTSTART`.
  let start: String
  let zone: String?
  /// Whether only the next date of a repeating request is written.
  private(set) var isStandIn = false

  init(_ request: NotificationRequest, next: Instant?, _ clock: LocalTime) {
    let schedule = request.schedule
    let (bounds, count) = (schedule.bounds, schedule.repetition?.count)
    var search = DateSearch()
    let trigger = try? schedule.storedTrigger(made: clock.now, rules: clock.rules, &search)
    let rules = (try? clock.rules(trigger?.zone)) ?? .utc
    let next = next ?? clock.now
    var time = CalendarTime(wall: rules.civil(at: next) ?? .first, zone: trigger?.zone)
    var rule: String?
    switch trigger?.timing {
    case .moment, nil: time = CalendarTime(wall: next.civil(at: .utc) ?? .first, zone: "UTC")
    case .wall(let wall): time.wall = wall
    case .interval(let interval):
      // Elapsed time matches a zone without clock changes.
      time = CalendarTime(wall: interval.first.civil(at: .utc) ?? .first, zone: "UTC")
      let ending = interval.count.map { ";COUNT=\($0)" } ?? ""
      // iCalendar does not combine them.
      if bounds.until == nil || interval.count == nil {
        rule = Self.frequency(interval.seconds) + ending + Self.end(trigger, rules, floats: false)
      }
    case .rule(let recurrence):
      // A calendar counts the start as the first date, so the start must be one.
      let hasEnd = recurrence.rule.until != nil || recurrence.rule.count != nil
      if bounds.until == nil || !hasEnd, count == nil,
        let first = try? recurrence.first(from: recurrence.start, &search)
      {
        time.wall = first
        let floats = trigger?.zone == nil
        if case .rule(let text) = schedule.repetition?.pattern {
          var lines = text.split(whereSeparator: \.isNewline).map(String.init)
          if !lines.isEmpty { lines[0] += Self.end(trigger, rules, floats: floats) }
          rule = Self.withInstant(lines.joined(separator: "\n"), recurrence.rule.until, rules, floats: floats)
        }
      }
    case .calendar(let expression):
      if count == nil {
        rule = expression.rule.map { $0 + Self.end(trigger, rules, floats: trigger?.zone == nil) }
      }
    case .match: break
    }
    zone = time.zone
    start = time.text
    let parameter = zone.flatMap { $0 == "UTC" ? nil : ";TZID=\($0)" } ?? ""
    lines.append("DTSTART\(parameter):\(start)")
    guard let rule else {
      isStandIn = schedule.isRepeating || schedule.occasions != nil
      return
    }
    let parts = rule.split(whereSeparator: \.isNewline).map(String.init)
    lines.append("RRULE:" + (parts.first ?? ""))
    for part in parts.dropFirst() {
      let dates = part.split(separator: ":").last ?? ""
      for date in dates.split(separator: ",") {
        lines.append(date.contains("T") ? "EXDATE\(parameter):\(date)" : "EXDATE;VALUE=DATE:\(date)")
      }
    }
  }

  /// The part for `until`; empty if there is none.
  private static func end(_ trigger: Trigger?, _ rules: ZoneRules, floats: Bool) -> String {
    let end: Instant
    switch trigger?.until {
    case nil: return ""
    case .wall(let wall)? where floats: return ";UNTIL=" + CalendarTime.text(wall)
    case .wall(let wall)?: end = rules.resolve(wall)
    case .instant(let instant)?:
      if floats, let wall = rules.civil(at: instant) { return ";UNTIL=" + CalendarTime.text(wall) }
      end = instant
    }
    return end.civil(at: .utc).map { ";UNTIL=" + CalendarTime.text($0) + "Z" } ?? ""
  }

  private static func frequency(_ seconds: Int64) -> String {
    for (name, unit) in [("HOURLY", Int64(3600)), ("MINUTELY", 60)] where seconds % unit == 0 {
      return "FREQ=\(name);INTERVAL=\(seconds / unit)"
    }
    return "FREQ=SECONDLY;INTERVAL=\(seconds)"
  }

  /// If the start has a zone, iCalendar requires the rule's end in UTC.
  private static func withInstant(
    _ lines: String, _ until: RecurrenceRule.Until?, _ rules: ZoneRules, floats: Bool
  ) -> String {
    guard case .wall(let wall)? = until, !floats, let end = rules.resolve(wall).civil(at: .utc) else { return lines }
    let text = CalendarTime.text(end) + "Z"
    return lines.replacing(CalendarTime.text(wall), with: text, maxReplacements: 1)
  }
}

// SPDX-License-Identifier: Apache-2.0
package import NotificationModel
internal import Triggers
package import Zoneinfo

/// Converts the alarms of a calendar's events and tasks to requests.
package struct CalendarReader {
  /// A request, and the line of its alarm.
  package struct Reminder {
    package var words: [String: PlainValue]
    package let line: Int
  }

  package private(set) var reminders: [Reminder] = []
  /// Messages about skipped parts of the calendar.
  package private(set) var warnings: [String] = []
  /// The titles of the events and tasks without an alarm.
  package private(set) var withoutAlarm: [String] = []

  private let library: ICalLibrary
  private let app: String
  /// Whether to skip events that are invalid or that a request cannot express, instead of failing.
  private let skips: Bool
  /// Whether buttons of the file may run programs.
  private let trusts: Bool

  package init(
    _ bytes: [UInt8], library: ICalLibrary, app: String, skips: Bool, trusts: Bool, local: ZoneRules,
    zones files: ZoneCache = ZoneCache()
  ) throws(CalendarError) {
    (self.library, self.app, self.skips, self.trusts) = (library, app, skips, trusts)
    for calendar in try CalendarComponent.calendars(bytes) {
      let zones = CalendarZones(calendar, library, local: local, files: files)
      let items = calendar.children.filter { $0.name == "VEVENT" || $0.name == "VTODO" }
      let overrides = Dictionary(grouping: items.filter { $0.line("RECURRENCE-ID") != nil }) {
        $0.line("UID")?.value ?? ""
      }
      for item in items {
        let replaced = item.line("RECURRENCE-ID") == nil ? overrides[item.line("UID")?.value ?? ""] ?? [] : []
        try read(item, replaced, zones)
      }
    }
  }

  // MARK: An event

  private mutating func read(
    _ item: CalendarComponent, _ replaced: [CalendarComponent], _ zones: CalendarZones
  ) throws(CalendarError) {
    let status = item.line("STATUS")?.value.uppercased()
    if status == "CANCELLED" || status == "COMPLETED" || item.line("COMPLETED") != nil { return }
    let all = item.children("VALARM")
    if all.isEmpty {
      let summary = item.line("SUMMARY").flatMap { library.property($0.text)?.value }
      withoutAlarm.append(summary ?? "\(item.name) of line \(item.number)")
    }
    let alarms = all.filter { alarm in
      // KOrganizer keeps an alarm that the user has switched off.
      if alarm.line("X-KDE-KCALCORE-ENABLED")?.value.uppercased() == "FALSE" { return false }
      let action = alarm.line("ACTION")?.value.uppercased() ?? "DISPLAY"
      if action == "DISPLAY" || action == "AUDIO" { return true }
      if action != "NONE" {
        warnings.append("line \(alarm.number): skipped an alarm of kind \(action), which shows nothing")
      }
      return false
    }
    if alarms.isEmpty { return }
    do throws(CalendarError) {
      // Our own files have the whole request beside it.
      let isKept = item.line(KeptWords.name) != nil
      var timed: CalendarEvent?
      for (index, alarm) in alarms.enumerated() {
        if !isKept, let place = ProximityAlarm(alarm) {
          reminders.append(try place.reminder(number: index, of: item, zones: zones, library, app: app))
          continue
        }
        let event = if let timed { timed } else { try CalendarEvent(item, replaced, zones, library) }
        timed = event
        reminders += try CalendarAlarm(alarm, number: index, of: event, library).requests(app: app, trusts: trusts)
      }
    } catch {
      guard skips else {
        var error = error
        error.canBeSkipped = true
        throw error
      }
      warnings.append("line \(error.line): skipped: \(error.problem)")
    }
  }
}

/// The parts of an event or task that its alarms need.
struct CalendarEvent {
  let item: CalendarComponent
  let zones: CalendarZones
  /// The reference of relative alarms.
  let start: CalendarTime
  /// Seconds from start to end, on the wall clock.
  let length: Int
  let rule: ContentLine?
  /// Dates in addition to the rule's.
  let extra: [CalendarTime]
  let exceptions: [CalendarTime]
  let id: String

  init(
    _ item: CalendarComponent, _ replaced: [CalendarComponent], _ zones: CalendarZones, _ library: ICalLibrary
  ) throws(CalendarError) {
    self.item = item
    self.zones = zones
    let reader = CalendarValues(zones: zones, library: library)
    guard let startLine = item.line("DTSTART") ?? item.line("DUE") else {
      throw CalendarError(line: item.number, "this \(item.name) has an alarm, but neither DTSTART nor DUE")
    }
    start = try reader.time(startLine)
    length = try Self.length(of: item, from: start, reader)
    let rules = item.lines("RRULE")
    if let second = rules.dropFirst().first ?? item.line("EXRULE") {
      throw CalendarError(
        second, "a second RRULE or an EXRULE is not supported")
    }
    rule = rules.first
    if let rule, library.property(rule.text) == nil { throw Self.error(inRule: rule) }
    var (extra, exceptions): ([CalendarTime], [CalendarTime]) = ([], [])
    for line in item.lines("RDATE") { extra += try reader.times(line) }
    for line in item.lines("EXDATE") { exceptions += try reader.times(line) }
    for other in replaced {
      guard let line = other.line("RECURRENCE-ID") else { continue }
      guard line.parameters["RANGE"] == nil else {
        throw CalendarError(line, "a change of all later dates is not supported")
      }
      exceptions.append(try reader.time(line))
    }
    (self.extra, self.exceptions) = (extra, exceptions)
    id = Self.id(of: item, start: start.text)
  }

  /// The error for a rule that libical refuses: that of our own parser, which names the wrong part.
  private static func error(inRule rule: ContentLine) -> CalendarError {
    do throws(TriggerError) { _ = try RecurrenceRule.parse(rule.value) } catch {
      return CalendarError(rule, "invalid recurrence rule: \(error)")
    }
    return CalendarError(rule, "invalid recurrence rule '\(rule.value.shortened(to: 80))'")
  }

  /// The id, so that another import replaces the request: the UID, and the date for a changed occurrence.
  static func id(of item: CalendarComponent, start: String) -> String {
    let changed = item.line("RECURRENCE-ID").map { "/" + $0.value } ?? ""
    if let line = item.line("UID"), !line.value.isEmpty {
      // Outlook's can have hundreds of bytes, and an id at most 255.
      return (line.value.utf8.count <= longestUID ? line.value : "ics-" + hash(of: line.value)) + changed
    }
    // The standard requires a UID, but calcurse writes none; a hash of the content is the next best.
    return "ics-" + hash(of: (item.line("SUMMARY")?.value ?? "") + start) + changed
  }

  private static let longestUID = 160

  private static func hash(of text: String) -> String {
    String(text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
  }

  private static func length(
    of item: CalendarComponent, from start: CalendarTime, _ reader: CalendarValues
  ) throws(CalendarError) -> Int {
    if let line = item.line(item.name == "VTODO" ? "DUE" : "DTEND") {
      let end = try reader.time(line)
      let (from, to) = (start.wall, end.wall(in: start.zone, reader.zones))
      return (to.date.dayNumber - from.date.dayNumber) * 86_400 + to.time.secondOfDay - from.time.secondOfDay
    }
    if let line = item.line("DURATION") { return try reader.duration(line).total }
    return start.isDate && item.name == "VEVENT" ? 86_400 : 0
  }
}

/// Reads values of lines; libical validates them.
struct CalendarValues {
  let zones: CalendarZones
  let library: ICalLibrary

  func time(_ line: ContentLine) throws(CalendarError) -> CalendarTime {
    guard let time = try times(line).first else { throw CalendarError(line, "a date is expected here") }
    return time
  }

  /// All dates of a list, and the start of each period.
  func times(_ line: ContentLine) throws(CalendarError) -> [CalendarTime] {
    guard library.property(line.text) != nil else {
      throw CalendarError(
        line,
        "invalid date or date and time '\(line.value.shortened(to: 40))'; write it as 20261124 or "
          + "20261124T073000")
    }
    var zone: String?
    if let id = line.parameters["TZID"] {
      zone = zones.name(of: id)
      if zone == nil {
        throw CalendarError(
          line, "unknown time zone '\(id.shortened(to: 60))'; use an IANA name such as Europe/Paris")
      }
    }
    var times: [CalendarTime] = []
    for part in line.value.split(separator: ",") {
      let text = part.prefix { $0 != "/" }.trimmed
      guard let time = CalendarTime(text, zone: zone) else {
        throw CalendarError(line, "'\(part.shortened(to: 40))' is not a date or a date and time")
      }
      times.append(time)
    }
    return times
  }

  func duration(_ line: ContentLine) throws(CalendarError) -> CalendarDuration {
    // libical reads a broken duration as zero, or refuses what some programs write, so its text counts.
    guard let duration = CalendarDuration(line.value.trimmed) else {
      throw CalendarError(
        line, "invalid duration '\(line.value.shortened(to: 40))'; write it as -PT15M, PT0S or -P1D")
    }
    return duration
  }

  /// The text without escapes; nil if empty. Outlook ends a description with empty lines.
  func text(_ line: ContentLine?) -> String? {
    guard let line, var text = library.property(line.text)?.value else { return nil }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text.isEmpty ? nil : text
  }
}

extension StringProtocol {
  /// The beginning of a text from a calendar, for an error. What prints it removes control characters.
  func shortened(to length: Int) -> String { unicodeScalars.count > length ? "\(prefix(length))…" : String(self) }

  fileprivate var trimmed: String {
    var text = self[...].drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

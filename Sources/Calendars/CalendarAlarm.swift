// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import SystemFiles
internal import Triggers
internal import Zoneinfo

/// One `VALARM`: its times and its content.
struct CalendarAlarm {
  private enum Timing {
    /// At a fixed time.
    case absolute(CalendarTime)
    /// Relative to the event's start.
    case relative(CalendarDuration)
  }

  private let alarm: CalendarComponent
  private let event: CalendarEvent
  private let values: CalendarValues
  private let timing: Timing
  /// Seconds from the start to the time that the reminder names: that at which a task is due, for an alarm before that.
  private let namedLater: Int
  /// How often the alarm repeats, and the seconds between repetitions.
  private let repeats: Int
  private let pause: Int
  private let id: String

  private static let mostRepeats = 100

  init(
    _ alarm: CalendarComponent, number: Int, of event: CalendarEvent, _ library: ICalLibrary
  ) throws(CalendarError) {
    (self.alarm, self.event) = (alarm, event)
    values = CalendarValues(zones: event.zones, library: library)
    id = number == 0 ? event.id : "\(event.id)#\(number + 1)"
    guard let trigger = alarm.line("TRIGGER") else {
      throw CalendarError(line: alarm.number, "this VALARM has no TRIGGER")
    }
    if trigger.parameters["VALUE"]?.uppercased() == "DATE-TIME" {
      timing = .absolute(try values.time(trigger))
      namedLater = 0
    } else {
      var offset = try values.duration(trigger)
      let isFromEnd = trigger.parameters["RELATED"]?.uppercased() == "END"
      if isFromEnd { offset.seconds += event.length }
      timing = .relative(offset)
      namedLater = isFromEnd && event.item.name == "VTODO" ? event.length : 0
    }
    guard let line = alarm.line("REPEAT") else {
      (repeats, pause) = (0, 0)
      return
    }
    guard let count = Int(line.value), count >= 0 else {
      throw CalendarError(line, "REPEAT must be an integer of 0 or more")
    }
    guard count <= Self.mostRepeats else {
      throw CalendarError(line, "an alarm cannot repeat more than \(Self.mostRepeats) times")
    }
    guard count > 0 else {
      (repeats, pause) = (0, 0)
      return
    }
    guard let length = alarm.line("DURATION") else {
      throw CalendarError(line, "REPEAT requires a DURATION")
    }
    repeats = count
    pause = try values.duration(length).total
    guard pause > 0 else { throw CalendarError(length, "the DURATION between two alarms must be positive") }
  }

  // MARK: Requests

  func requests(app: String, trusts: Bool) throws(CalendarError) -> [CalendarReader.Reminder] {
    let isKept = event.item.line(KeptWords.name) != nil
    var shown = AlarmText(item: event.item, alarm: alarm, values: values).words(isKept: isKept)
    shown["app"] = .text(app)
    shown["id"] = .text(id)
    if let kept = try KeptWords(event, values.library, trusts: trusts) {
      // Kept words apply where iCalendar has no equivalent; the others may have been edited since.
      shown["app"] = nil
      shown["id"] = nil
      if event.item.line("SUMMARY") == nil { shown["title"] = nil }
      let words = kept.words.merging(shown) { $1 }
      if kept.saysWhen { return [.init(words: words, line: alarm.number)] }
      shown = words
    }
    return try times().map { extra, time, start in
      var words = shown.merging(time) { $1 }
      // Our own events begin with their alarm.
      if !isKept, let start {
        words["body"] = if case .text(let body)? = words["body"] { .text(start + "\n" + body) } else { .text(start) }
      }
      if !extra.isEmpty, case .text(let id)? = words["id"] { words["id"] = .text(id + extra) }
      return .init(words: words, line: alarm.number)
    }
  }

  // MARK: Times

  /// The scheduling words, each with a suffix for the id and the start of the event, if the alarm has another time.
  private func times() throws(CalendarError) -> [(id: String, words: [String: PlainValue], start: String?)] {
    let offset: CalendarDuration
    let start = CalendarStart(event)
    switch timing {
    case .absolute(let time):
      let text = isStart(time) ? nil : start.text(of: event.start)
      return [("", repeated(once(time, CalendarDuration())), text)]
    case .relative(let duration): offset = duration
    }
    func text(_ time: CalendarTime) -> String? {
      if offset.total == namedLater { return nil }
      var named = time
      named.wall = time.wall.adding(seconds: namedLater) ?? time.wall
      return start.text(of: named)
    }
    var times: [(String, [String: PlainValue], String?)] = []
    if let rule = event.rule {
      // Each repetition becomes a rule of its own.
      for turn in 0...repeats {
        let seconds = offset.total + turn * pause
        let (words, days) = try ruled(rule, by: seconds)
        times.append((turn == 0 ? "" : "+\(turn)", words, seconds == 0 ? nil : start.text(daysAfterAlarm: -days)))
      }
    } else if !event.exceptions.contains(event.start) {
      times.append(("", repeated(once(event.start, offset)), text(event.start)))
    }
    for time in event.extra where time != event.start && !event.exceptions.contains(time) {
      times.append(("/" + time.text, repeated(once(time, offset)), text(time)))
    }
    return times
  }

  /// Whether a fixed time is the start of the event; Apple writes one in UTC, and the other in its zone.
  private func isStart(_ time: CalendarTime) -> Bool {
    func instant(_ time: CalendarTime) -> Instant {
      (time.zone.flatMap(event.zones.rules) ?? event.zones.local).resolve(time.wall)
    }
    return time.isDate == event.start.isDate && instant(time) == instant(event.start)
  }

  private func once(_ time: CalendarTime, _ offset: CalendarDuration) -> [String: PlainValue] {
    let day = time.wall.adding(seconds: offset.days * 86_400) ?? time.wall
    guard let zone = time.zone, let rules = event.zones.rules(zone) else {
      return ["at": .text(CalendarTime.words(day.adding(seconds: offset.seconds) ?? day))]
    }
    // An hour before the event is one elapsed hour, even across a clock change.
    let instant = rules.resolve(day).adding(seconds: Int64(offset.seconds))
    if zone == "UTC" { return ["at": .text(instant.description)] }
    return ["at": .text(CalendarTime.words(rules.civil(at: instant) ?? day)), "zone": .text(zone)]
  }

  /// Elapsed time, counted from the first alarm.
  private func repeated(_ words: [String: PlainValue]) -> [String: PlainValue] {
    guard repeats > 0 else { return words }
    var words = words
    words["from"] = words.removeValue(forKey: "at")
    words["every"] = .text(Duration.seconds(pause).text)
    words["count"] = .integer(Int64(repeats + 1))
    return words
  }

  /// Follows the wall clock, as repetitions do: across a clock change, an hour before the event may be two.
  ///
  /// Also returns how many days the alarm is after its event.
  private func ruled(
    _ line: ContentLine, by seconds: Int
  ) throws(CalendarError) -> (words: [String: PlainValue], days: Int) {
    let rule: RecurrenceRule
    do throws(TriggerError) { rule = try RecurrenceRule.parse(line.value) } catch {
      throw CalendarError(line, "\(error)")
    }
    let start = event.start
    guard let from = start.wall.adding(seconds: seconds) else {
      throw CalendarError(line, "its dates are out of range")
    }
    let shifted: ShiftedRule
    do {
      shifted = try ShiftedRule(line.value, from: start.wall, by: seconds, until: until(rule.until, seconds))
    } catch {
      throw CalendarError(
        line, "an alarm on another day than its event is not supported for this rule")
    }
    var words = ["from": PlainValue.text(CalendarTime.words(from))]
    if let zone = start.zone { words["zone"] = .text(zone) }
    let exceptions = event.exceptions.compactMap { time -> String? in
      // A whole-day exception of an event with a time.
      if time.isDate && !start.isDate {
        return time.wall.date.adding(days: shifted.days).map {
          CalendarTime.text(CivilDateTime($0, .midnight), isDate: true)
        }
      }
      return time.wall(in: start.zone, event.zones).adding(seconds: seconds).map { CalendarTime.text($0) }
    }
    words["rule"] = .text(([shifted.text] + exceptions.map { "EXDATE:" + $0 }).joined(separator: "\n"))
    return (words, shifted.days)
  }

  /// The rule's end on the event's clock, shifted by the alarm's offset.
  private func until(_ until: RecurrenceRule.Until?, _ seconds: Int) -> String? {
    let wall: CivilDateTime?
    switch until {
    case nil: return nil
    case .date(let date): wall = CivilDateTime(date, CivilTime(secondOfDay: 86_399) ?? .midnight)
    case .wall(let time): wall = time
    case .instant(let instant):
      let rules = event.start.zone.flatMap(event.zones.rules)
      wall = rules?.civil(at: instant) ?? instant.civil(at: .utc)
    }
    // The last day of an all-day event counts from its midnight.
    let last = event.start.isDate ? wall.map { CivilDateTime($0.date, .midnight) } : wall
    return last?.adding(seconds: seconds).map { CalendarTime.text($0) }
  }
}

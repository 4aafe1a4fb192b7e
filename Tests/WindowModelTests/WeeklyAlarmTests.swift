// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing
import Zoneinfo

@testable import WindowModel

/// Tests alarms: which requests are some, what they say, and the request that each becomes.
@Suite struct WeeklyAlarmTests {
  private static func alarm(_ every: String, _ words: [String: PlainValue] = [:]) -> WeeklyAlarm? {
    WeeklyAlarm(row("a", "2026-11-25T07:30:00Z", ["every": .text(every)].merging(words) { $1 }), muted: [])
  }

  @Test(
    arguments: [
      ("Mon,Tue,Thu 07:30", "Mon, Tue and Thu"), ("07:30", "every day"),
      ("Mon..Fri *-*-* 07:30:00", "Monday to Friday"),
      ("Sat,Sun 07:30", "weekends"), ("Mon,Fri 07:30", "Monday and Friday"), ("Wed 07:30", "Wednesday"),
    ]) func `A time on weekdays is an alarm`(_ every: String, _ days: String) throws
  {
    let alarm = try #require(Self.alarm(every))
    #expect(alarm.clock == "07:30" && alarm.subtitle(clock) == "\u{2068}Tea\u{2069} · \(days) · next: in 8 h 41 min")
  }

  @Test(
    arguments: [
      "*-*-01 07:30", "15m", "*:30", "07:30:15", "07,08:30", "Mon 07:30 Europe/Paris", "hourly", "2027-01-01 07:30",
      "x",
    ]) func `Other repetitions are none`(_ every: String)
  {
    #expect(Self.alarm(every) == nil)
  }

  @Test func `Requests with an end, a zone, another app or no date are none`() {
    #expect(Self.alarm("07:30") != nil)
    for (key, value) in ["count": .integer(3), "zone": .text("Asia/Tokyo"), "until": .text("2027-01-01")]
      as [String: PlainValue]
    {
      #expect(Self.alarm("07:30", [key: value]) == nil, "\(key)")
    }
    #expect(Self.alarm("07:30", ["app": .text("org.example.Tea")]) == nil)
    #expect(Self.alarm("07:30", ["state": .text("due")]) == nil)
  }

  @Test func `A new alarm is a valid request`() throws {
    var alarm = WeeklyAlarm(at: try #require(CivilTime(hour: 7, minute: 5)), on: [.monday, .tuesday, .thursday])
    alarm.title = "Up"
    let request = try NotificationRequest(alarm.words)
    #expect(request.content.title == "Up" && request.id == nil && request.content.sound == .named("suzu-alarm"))
    #expect(alarm.words["every"] == .text("Mon,Tue,Thu 07:05"))
    alarm.days = Set(Weekday.allCases)
    #expect(alarm.words["every"] == .text("07:05"))
  }

  @Test func `A changed alarm keeps everything else`() throws {
    var alarm = try #require(
      Self.alarm("Mon 07:30", ["body": .text("Slowly"), "sound": .text("x"), "from": .text("2026-11-01")]))
    #expect(alarm.words["from"] == nil || alarm.words["every"] == .text("Mon 07:30"))
    alarm.time = try #require(CivilTime(hour: 8, minute: 0))
    #expect(alarm.words["id"] == .text("a") && alarm.words["body"] == .text("Slowly"))
    #expect(alarm.words["every"] == .text("Mon 08:00") && alarm.words["sound"] == .text("x"))
    #expect(alarm.words["from"] == nil && alarm.words["next"] == nil && alarm.words["state"] == nil)
    #expect(AlarmSound.choices(with: alarm.sound).last == .other("x"))
  }

  @Test func `An alarm that is muted is off, and counts for no next one`() {
    var list = AlarmList()
    let rows = [
      row("late", "2026-11-25T09:00:00Z", ["every": .text("09:00")]),
      row("early", "2026-11-25T06:00:00Z", ["every": .text("06:00")]), row("no", "2026-11-25T06:00:00Z"),
    ]
    let early = RequestName(app: "dev.suzu.Suzu", id: "early")
    list.show(rows, muted: [early])
    #expect(list.alarms.map(\.clock) == ["06:00", "09:00"] && list.alarms.map(\.isOn) == [false, true])
    #expect(list.alarms[0].spoken(clock) == "06:00, Tea, every day, off")
    #expect(list.next(clock) == "Next alarm: Tomorrow 09:00, in 10 h 11 min")
    list.hide(RequestName(app: "dev.suzu.Suzu", id: "late"))
    #expect(list.alarms.map(\.clock) == ["06:00"] && list.next(clock) == nil)
  }

  @Test func `A time that the clocks skip says when it rings instead`() throws {
    let paris = try ZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")
    let clock = LocalClock(now: try #require(Instant(rfc3339: "2027-03-27T12:00:00Z")), rules: paris)
    let alarm = try #require(
      WeeklyAlarm(row("a", "2027-03-28T03:30:00+02:00", ["every": .text("02:30")]), muted: []))
    #expect(alarm.nextText(clock) == "next: in 13 h 30 min, at 03:30: the clocks skip 02:30 that day")
  }

  @Test func `What is missing is said`() throws {
    var alarm = WeeklyAlarm(at: try #require(CivilTime(hour: 7, minute: 0)), on: [])
    #expect(alarm.problem == "Choose at least one day")
    alarm.title = " "
    #expect(alarm.problem == "Give it a name")
    (alarm.title, alarm.days) = ("Up", [.monday])
    #expect(alarm.problem == nil)
  }
}

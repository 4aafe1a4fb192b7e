// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing
import WindowModel
import Zoneinfo

/// Tests what the page *Apps* shows, and quiet hours in words.
@Suite struct AppsListTests {
  private let clock = LocalClock(now: Instant(1_800_000_000), rules: .utc)

  @Test func `Quiet hours of two times are shown in words and written as they were`() {
    for (text, words) in [
      ("Mon..Fri 22:00..07:00", "Monday to Friday, 22:00 to 07:00"), ("09:00..17:30", "Every day, 09:00 to 17:30"),
      ("Sat,Sun 23:00..09:00", "Weekends, 23:00 to 09:00"),
    ] {
      #expect(QuietTimes.words(text) == words)
      #expect(QuietTimes(text)?.text == text)
    }
    // Those of another form stay as they are.
    for text in ["Sun *-*-1..7 14:00 for 3h", "Mon 08:00..12:00,13:00..18:00", "Sat", "", "Mon 08:00..08:00"] {
      #expect(QuietTimes(text) == nil)
      #expect(QuietTimes.words(text) == text)
    }
    #expect(QuietTimes(String(repeating: "Mon,", count: 10_000)) == nil)
  }

  @Test func `Times without a day, or without a length, have a problem`() {
    let midnight = CivilTime.midnight
    #expect(QuietTimes([], from: midnight, to: midnight).problem == "Choose at least one day")
    #expect(QuietTimes([.monday], from: midnight, to: midnight).problem == "Choose two times that differ")
  }

  @Test func `An app says what it may not do, and when it was last used`() {
    var settings = AppSettings(app: "org.example.A", allowed: [.alert], isDecided: true)
    settings.away = .hold
    settings.previews = .never
    let app = AppFacts(
      "org.example.A", name: "Chatter", settings: settings, lastUsed: Instant(1_800_000_000 - 60))
    var list = AppsList()
    _ = list.show([app, AppFacts("b")], quiet: QuietFacts())
    #expect(
      list.entries.map { $0.row.spoken(clock) } == [
        "Quiet hours, Not quiet now", "b, Has not notified you yet",
        "Chatter, without sound, waits until you are back, without texts, without badge, "
          + "Last used: Today 07:59, \u{2068}org.example.A\u{2069}",
      ])
    #expect(list.entries.map(\.heading) == ["All apps", "Apps", nil])
    _ = list.find("CHAT")
    #expect(list.entries.map(\.row.title) == ["Chatter"])
    _ = list.find("none")
    #expect(list.isEmpty)
  }

  @Test func `The state of quiet hours says when they end, and what is held`() {
    func state(_ end: QuietEnd?, held: Int = 0) -> String {
      QuietFacts(QuietHours(), limit: .usual, end: end, held: held).state(clock)
    }
    #expect(state(nil) == "Not quiet now")
    #expect(state(.at(1_800_000_000 + 3600), held: 2) == "Quiet until Today 09:00, in 1 h; 2 are held")
    #expect(state(.whenTurnedOff, held: 1) == "Quiet until you turn it off; 1 is held")
    #expect(state(.whenDesktopAllows) == "Quiet while the desktop does not want to be disturbed")
  }
}

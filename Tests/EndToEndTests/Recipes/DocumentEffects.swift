// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// The effects of the examples in pages of docs/ that have no file of their own here.
extension Effect {
  static let launcher: [Effect] = [
    Effect(
      "suzu launcher register", prints: "ON .*  Firefox .*off  Firefox  New Window +firefox:new-window\nfirefox",
      after: [.now, .posted("Firefox"), .press("Firefox", "default"), .ran("firefox ")]),
    Effect(
      "suzu launcher import", files: samples, complains: "clicks may now open tweetbot:, .*",
      after: [
        .shell("suzu launcher list TweetBot settings", "on +settings +settings_wifi +settings:settings_wifi"),
        .shell("suzu launcher register --delay 0s", "settings\nTweetBot\n"), .posted("settings", "TweetBot"),
        .press("settings", "default"), .ran("xdg-open prefs:root=WIFI"),
      ]),
  ]

  static let samples = ["appList.plist", "schemes.plist"].reduce(into: [String: String]()) { files, name in
    files[name] = try? String(
      contentsOf: Session.checkout.appending(path: "Assets/samples/" + name), encoding: .utf8)
  }

  static let calendar = """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//test//EN
    BEGIN:VEVENT
    UID:birthday
    SUMMARY:Anna's birthday
    DTSTART;VALUE=DATE:20200702
    RRULE:FREQ=YEARLY
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER:PT9H
    END:VALARM
    END:VEVENT
    BEGIN:VEVENT
    UID:vague
    SUMMARY:Vague
    DTSTART;TZID=Customized Time Zone:20350702T090000
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER:-PT15M
    END:VALARM
    END:VEVENT
    END:VCALENDAR

    """

  /// The same without what a request cannot express.
  static let plainCalendar = calendar.components(separatedBy: "BEGIN:VEVENT\nUID:vague")[0] + "END:VCALENDAR\n"

  static let calendars: [Effect] = [
    Effect(
      "suzu import reminders.json", given: "suzu notify Rent --id rent --every '*-*-01 09:00'",
      files: ["calendar.ics": calendar], needs: .libical,
      prints: #"rent\nbirthday\n\{"app":"org.example.Tea","categories":\[\]\}"#,
      complains: ".*line 17: skipped: .*Customized Time Zone.*",
      after: [.shell("cat ~/reminders.ics", "SUMMARY:Rent"), .shell("suzu list", "birthday +Anna's birthday")]),
    Effect(
      "suzu follow ~/.calendars --skip",
      files: [".calendars/home/vague.ics": calendar, "calendar.ics": plainCalendar], needs: .libical,
      prints: "CALENDAR +ALARMS .*/.calendars +1 +dev.suzu.Suzu +problem: home/vague.ics, line 17: .*"
        + "/calendar.ics +1 +dev.suzu.Suzu +ok",
      complains: ".*vague.ics, line 17: skipped: .*Customized Time Zone.*",
      // Both calendars have it.
      after: [.shell("suzu list", "birthday +Anna's birthday")]),
  ]

  // MARK: Manual pages

  static let command: [Effect] = [
    Effect(
      "'Tea is ready' --in 4m", prints: "\(id)\nalarm\nNEXT .*Tea is ready.*Get up +Mon,Tue,Thu 07:30",
      after: [.now, .posted("Tea is ready", "Get up")]),
    Effect(
      "echo deploying", during: [.posted("Deploy?"), .press("Deploy?", "yes")], prints: "deploying"),
    Effect(
      "for percent", prints: "copy\ncopy\ncopy",
      after: [.latest("Copying", ".*value .*100.*")]),
    Effect("suzu notify-send", after: [.shell("suzu list --delivered --json", #"^\[\]"#)]),
    Effect(
      "'Backup failed'", prints: "backup",
      after: [.posted("Backup failed"), .press("Backup failed", "again"), .ran("echo again")]),
    Effect("suzu next", prints: "Europe/Paris .*clocks skip 02:30:00 on 2027-03-28.*\n\\[.*16:00:00.*\\]"),
    Effect(
      "suzu list --json", given: "suzu notify Tea --in 1h",
      prints: "1\nstretch\n\\[(?=.*\"count\":6)(?=.*\"title\":\"Stretch\").*\\]",
      after: [.shell("suzu list --json | jq length", "^1")]),
    Effect(
      "suzu export --ics", needs: .libical, prints: "rent\n1\nrent",
      after: [.shell("suzu list", "rent +Rent +"), .shell("cat reminders.ics", "SUMMARY:Rent")]),
    Effect(
      "suzu launcher register", prints: "ON .*  Firefox .*\nfirefox",
      after: [.now, .posted("Firefox"), .press("Firefox", "default"), .ran("firefox ")]),
    Effect(
      "command -v suzu", prints: #"0 4 \* \* \* /.*/suzu notify 'The backup is done' --user anna"#),
  ]

  static let request: [Effect] = [
    Effect(
      "reminders.json", prints: "standup\nrent\nbackup\nNEXT .*Rent .*", after: [.shell("suzu list --json", #"^\[\]"#)]),
    Effect(
      "<plist", prints: id,
      after: [.posted("Tea is ready"), .shown("Tea is ready", ".*urgency .*0.*")]),
    Effect(
      "busctl", prints: "s \"\(id)\"",
      after: [.posted("Tea is ready"), .shown("Tea is ready", ".*value .*100.*")]),
  ]

  static let category: [Effect] = [
    Effect(
      "suzu dismiss lunch", prints: "invite\n.*accept: runs echo yes.*decline: answers --wait.*\nlunch",
      after: [.shell("suzu category list --json", #"^\[\]"#)]),
    Effect(
      "'Backup failed'", prints: "nas",
      after: [
        .shell("suzu category list --json", #"^\[\]"#), .shell("suzu list --json", #"^\[\]"#),
      ]),
  ]

  static let center: [Effect] = [
    Effect("suzu doctor", prints: ".*notification server: scripted.*"),
    Effect("gdbus call", prints: "\\('tea',\\)", after: [.shell("suzu list --json", #"^\[\]"#)]),
  ]
}

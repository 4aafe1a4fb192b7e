// SPDX-License-Identifier: Apache-2.0

/// The effects of the examples in `suzu VERB --help`, by their whole text.
extension Effect {
  static let help: [Effect] =
    showing + pushing + asking + running + listing + changing + bringing + conditionHelp + helpOfQuiet + linkHelp

  private static let showing: [Effect] = [
    Effect("suzu notify 'Tea is ready' --in 4m", prints: id, after: [.now, .posted("Tea is ready")]),
    Effect(
      "suzu notify 'Standup' --every 'Mon..Fri 09:25' --zone Europe/Paris --url https://example.org/room", prints: id,
      after: [
        .shell("suzu list --json | jq -r '.[].next'", "T09:25:00\\+0[12]:00|T0[78]:25:00\\+00:00"), .now,
        .posted("Standup"),
        .press("Standup", "default"), .ran("xdg-open https://example.org/room"),
      ]),
    Effect(
      "suzu notify 'Rent' --rule 'FREQ=MONTHLY;BYMONTHDAY=-1' --from '2026-11-30 09:00'", prints: id,
      after: [.shell("suzu list", "09:00 .*Rent"), .now, .posted("Rent")]),
    Effect(
      "suzu notify 'Get up' --every 'Mon,Tue,Thu 07:30' --style alert --missed skip --grace 30m", prints: id,
      after: [.shell("suzu list", "07:30 .*Get up"), .now, .posted("Get up")]),
    Effect(
      "suzu notify 'Deploy?' 'Version 2.4 to production' --action yes=Deploy --action no='Not now' --wait",
      during: [.posted("Deploy?"), .press("Deploy?", "no")], prints: "no"),
    Effect(
      "suzu notify 'The minutes are online' --url https://example.org/minutes", prints: id,
      after: [
        .posted("The minutes are online"), .press("The minutes are online", "default"),
        .ran("xdg-open https://example.org/minutes"),
      ]),
    Effect(
      "suzu notify --file reminders.plist",
      files: ["reminders.plist": "<plist><dict><key>title</key><string>Tea</string></dict></plist>"], prints: id,
      after: [.posted("Tea")]),
    Effect(
      "suzu notify -u critical -t 5000 -i dialog-warning 'Battery low'", prints: id,
      after: [.posted("Battery low"), .shown("Battery low", ".*urgency .*2.*\\|dialog-warning")]),
    Effect(
      "suzu notify-send -u critical -a 'Backup script' 'Backup failed' 'See <b>the log</b>'",
      after: [.posted("Backup failed"), .shown("Backup failed", ".*See <b>the log</b>.*urgency .*2.*")]),
    Effect(
      "id=$(suzu notify-send -p 'Copying' -h int:value:10); suzu notify-send -r \"$id\" 'Copying' -h int:value:90",
      after: [.posted("Copying", "Copying"), .shell("suzu list --delivered --json | jq '.[].hints.value'", "^90\n$")]),
    Effect(
      "suzu notify-send -A yes=Deploy -A 'Not now' 'Deploy?'", during: [.posted("Deploy?"), .press("Deploy?", "1")],
      prints: "1"),
    Effect(
      "suzu popups --plain", hasServer: false,
      during: [
        .shell("gdbus wait --session --timeout 10 org.freedesktop.Notifications", ""), .shell("suzu notify Tea", ""),
        .line("#1 Tea"), .interrupt,
      ], prints: ".*", status: 130),
    Effect(
      "suzu popups", hasServer: false,
      during: [
        .shell("gdbus wait --session --timeout 10 org.freedesktop.Notifications", ""), .shell("suzu notify Tea", ""),
        .line("#1 Tea"), .interrupt,
      ], prints: ".*", status: 130),
    Effect(
      "suzu popups --images none", hasServer: false,
      during: [
        .shell("gdbus wait --session --timeout 10 org.freedesktop.Notifications", ""), .shell("suzu notify Tea", ""),
        .line("#1 Tea"), .interrupt,
      ], prints: ".*", status: 130),
    Effect(
      "suzu popups </dev/null", hasServer: false,
      during: [
        .shell("gdbus wait --session --timeout 10 org.freedesktop.Notifications", ""), .shell("suzu notify Tea", ""),
        .line("#1 Tea"), .interrupt,
      ], prints: ".*", status: 130),
  ]

  private static let asking: [Effect] = [
    Effect(
      "if suzu ask 'Deploy?' 'Version 2.4 to production'; then echo deploying; fi",
      during: [.posted("Deploy?"), .press("Deploy?", "yes")], prints: "yes\ndeploying"),
    Effect(
      "suzu ask 'Where to?' --action prod=Production --action test=Test --timeout 30s --default test",
      during: [.posted("Where to?"), .press("Where to?", "prod")], prints: "prod"),
    Effect(
      "suzu ask 'Name of the release?' --input --timeout 2m --default unnamed",
      during: [
        .posted("Name of the release?"),
        .shell(
          "suzu respond \"$(suzu list --delivered --json | jq -r '.[].id')\" answer --reply 'Half moon'", ""),
      ], prints: "Half moon"),
    Effect(
      "suzu ask 'Erase the disk?' --action erase=Erase --action no=Keep --destructive erase",
      during: [
        .posted("Erase the disk?"), .shown("Erase the disk?", ".*⚠ Erase.*"), .press("Erase the disk?", "erase"),
      ],
      prints: "erase"),
    Effect(
      "suzu ask --hook claude-code <request.json", files: ["request.json": hookRequest],
      during: [.posted("Allow Claude Code to use Bash?"), .press("Allow Claude Code to use Bash?", "allow")],
      prints:
        #"\{"hookSpecificOutput":\{"decision":\{"behavior":"allow"\},"hookEventName":"PermissionRequest"\}\}"#),
  ]

  /// What an agent hands over to a hook.
  static let hookRequest =
    #"{"hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": {"command": "make"}, "cwd": "/tea"}"#

  private static let alarm = "suzu notify 'Get up' --id alarm --every 'Mon,Tue,Thu 07:30'"
  private static let tea = "suzu notify Tea --app org.example.Tea --id tea --in 1h"

  private static let pushing: [Effect] = [
    Effect("suzu push tea.apns", files: teaFile, prints: id, after: [.posted("Tea is ready")]),
    Effect(
      "suzu push tea.apns --app org.example.Tea --collapse tea", files: teaFile, prints: "tea",
      after: [.posted("Tea is ready")]),
    Effect(
      #"echo '{"aps": {"alert": "Tea is ready"}}' | suzu push -"#, prints: id, after: [.posted("Tea is ready")]),
  ]

  private static let running: [Effect] = [
    Effect("suzu run -- make -j4", during: [.ran("make -j4")]),
    Effect("suzu run --over 1m --title Deploy -- ./deploy --all", during: [.ran("deploy --all")]),
    Effect("suzu run --progress -- make iso", during: [.ran("make iso")]),
    Effect("suzu run --hook bash >>~/.bashrc", after: [.shell("cat ~/.bashrc", "PROMPT_COMMAND=")]),
    Effect("suzu unit backup.service", after: [.posted("backup.service failed")]),
    Effect(
      "MONITOR_SERVICE_RESULT=success suzu unit backup.service", after: [.posted("backup.service finished")]),
    Effect("suzu mute backup 1h", after: [.shell("suzu mute --list", "backup")]),
    Effect("suzu mute backup 'tomorrow 08:00'", after: [.shell("suzu mute --list", "08:00:00.*backup")]),
    Effect("suzu mute backup off", given: "suzu mute backup 1h", after: [.shell("suzu mute --list", "^$")]),
    Effect("suzu mute --list", given: "suzu mute backup 1h", prints: "UNTIL .*backup"),
  ]

  private static let listing: [Effect] = [
    Effect("suzu list", given: tea, prints: "NEXT .*Tea"),
    Effect(
      "suzu list --app org.example.Tea -n 10", given: tea + "; suzu notify x --in 1h", prints: "NEXT [^\n]*\n[^\n]*Tea"),
    Effect(
      "suzu list --search dentist", given: tea + "; suzu notify 'Dentist' --in 1h",
      prints: "NEXT [^\n]*\n[^\n]*Dentist[^\n]*"),
    Effect(
      "suzu list --json | jq -r '.[] | select(.every) | .id'", given: tea + "; suzu notify x --id x --every 1h",
      prints: "x"),
    Effect("suzu show alarm", given: alarm, prints: "id: +alarm\n.*state: +pending\n.*every: +Mon,Tue,Thu 07:30"),
    Effect("suzu show alarm --json | jq -r .every", given: alarm, prints: "Mon,Tue,Thu 07:30"),
    Effect(
      "suzu edit dentist --at 'tomorrow 08:00'",
      given: "suzu notify Dentist 'Main Street 3' --id dentist --at 'tomorrow 07:30' --action ok=OK",
      after: [
        .shell("suzu list --json | jq -r '.[] | .next, .body, .actions[].id'", "T08:00:00.*\nMain Street 3\nok")
      ]),
    Effect(
      "suzu edit alarm --every 'Mon,Tue,Thu 08:00'", given: alarm,
      after: [.shell("suzu list", "08:00 .*Get up .*Mon,Tue,Thu 08:00"), .now, .posted("Get up")]),
    Effect(
      "suzu edit alarm 'Time to get up' --action later=Later --snooze later=10m", given: alarm,
      after: [
        .shell("suzu show alarm", #"action: +Later \(later\): snooze 10m\n.*every: +Mon,Tue,Thu 07:30"#), .now,
        .posted("Time to get up"),
      ]),
    Effect(
      "suzu edit alarm --snooze later=5m",
      given:
        "suzu notify 'Get up' --id alarm --at 'tomorrow 7:30' --action up=Up --run up='mpc play' --action later=Later --snooze later=10m",
      after: [
        .shell("suzu show alarm", #"action: +Up \(up\): run mpc play\naction: +Later \(later\): snooze 5m"#), .now,
        .posted("Get up"),
      ]),
    Effect("suzu history -n 20", given: "suzu notify Tea", ready: [.posted("Tea")], prints: "WHEN .* Tea.*"),
    Effect(
      "suzu history backup --since yesterday", given: "suzu notify Tea; suzu notify Nas --id backup",
      ready: [.posted("Tea", "Nas")], prints: "WHEN [^\n]*\n[^\n]* Nas[^\n]*"),
    Effect(
      "suzu history --search invoice --since 7d", given: "suzu notify Tea; suzu notify Nas 'Pay the Invoice'",
      ready: [.posted("Tea", "Nas")], prints: "WHEN [^\n]*\n[^\n]* Nas[^\n]*"),
    Effect(
      "suzu history --state failed", given: "suzu notify Tea", ready: [.posted("Tea")],
      complains: "nothing found: the history has no such notification"),
    Effect(
      "suzu history --app org.example.Backup", given: "suzu notify Tea; suzu notify Nas --app org.example.Backup",
      ready: [.posted("Tea", "Nas")], prints: "WHEN [^\n]*\n[^\n]* Nas[^\n]*"),
    Effect("suzu history --clear --before 7d", given: "suzu notify Tea", ready: [.posted("Tea")], prints: "0"),
    Effect(
      #"suzu history --json | jq -r '.[] | select(.outcome != "done") | .title'"#, given: "suzu notify Tea",
      ready: [.posted("Tea")], prints: "Tea"),
    Effect(
      "suzu watch",
      during: [.answered("Watch"), .shell("suzu notify Tea --id tea", ""), .line(".*delivered.*tea"), .interrupt],
      prints: ".*", status: 130),
    Effect(
      "suzu watch --json | jq -r --unbuffered .event",
      during: [.answered("Watch"), .shell("suzu notify Tea --id tea", ""), .line("delivered"), .terminate],
      prints: ".*", status: 143),
    Effect("suzu next 'Mon,Tue,Thu 07:30'", prints: "UTC .*07:30:00.*"),
    Effect("suzu next 02:30 --zone Europe/Paris --from 2027-03-27", prints: ".*clocks skip 02:30:00.*"),
    Effect(
      "suzu next 'FREQ=MONTHLY;BYDAY=-1FR' --from '2027-01-01 17:00' -n 12", prints: ".*Fri 2027-12-31 17:00:00.*"),
    Effect("suzu next 'tomorrow 7:30'", prints: ".*07:30:00.*"),
    Effect("suzu next --match weekday=6,hour=17 --until 2027-03-31", prints: ".*Fri [^\n]* 17:00:00.*"),
    Effect("suzu next alarm -n 3", given: alarm, prints: "[^\n]*(?:\n[^\n]* 07:30:00 [^\n]*){3}"),
    Effect("suzu next 15m --json", prints: "\\[.*\"utc\":.*\\]"),
    Effect("suzu doctor", prints: ".*notification server: scripted.*"),
    Effect("suzu doctor --ssh build", prints: ".*ssh -R .*suzu-home.sock:.*remote-build.sock build\n.*"),
    Effect(
      "suzu remote serve db.example.org",
      during: [
        .line("serving 'db.example.org' at .*/suzu/remote-db.example.org.sock"),
        .shell("suzu apps --json", "dev.suzu.Remote.db.example.org"), .interrupt,
      ], status: 130),
    Effect(
      "suzu remote serve build",
      during: [
        .line("serving 'build' at .*/suzu/remote-build.sock"),
        .shell("SUZU_HOME_SOCKET=\"$XDG_RUNTIME_DIR/suzu/remote-build.sock\" suzu notify Built --id b", "^b\n$"),
        .posted("Built"), .interrupt,
      ], status: 130),
    Effect("suzu doctor --json", prints: "\\[.*\"what\":\"notification server\".*\\]"),
  ]

  private static let changing: [Effect] = [
    Effect("suzu cancel tea", given: "suzu notify Tea --in 1h --id tea", after: [nothingIsToCome]),
    Effect(
      "suzu cancel 'Tea is ready'", given: "suzu notify 'Tea is ready' --in 1h --id tea", complains: "cancelled 'tea'",
      after: [nothingIsToCome]),
    Effect("suzu cancel --all --app org.example.Tea", given: tea, prints: "1", after: [nothingIsToCome]),
    Effect(
      "suzu list --app org.example.Tea --json | jq -r '.[].id' | xargs suzu cancel --app org.example.Tea --",
      given: tea, after: [nothingIsToCome]),
    Effect("suzu dismiss upload", given: "suzu notify x --id upload", after: [.posted("x")]),
    Effect(
      "suzu ack alarm", given: "suzu notify x --id alarm --nag 5m", ready: [.posted("x")],
      after: [.shell("suzu history alarm", "acknowledged")]),
    Effect(
      "suzu ack 'Take the blue pill'", given: "suzu notify 'Take the blue pill' --nag 5m",
      ready: [.posted("Take the blue pill")], complains: "acknowledged '[a-z0-9]{10}'",
      after: [.shell("suzu history", "acknowledged")]),
    Effect("suzu dismiss --all", given: "suzu notify x", prints: "1", after: [.posted("x")]),
    Effect(
      "suzu respond backup again",
      given: #"""
        echo '{"title": "x", "id": "backup", "actions": [{"id": "again", "run": ["firefox", "again"]}]}' |
          suzu notify --file -
        """#, after: [.ran("firefox again")]),
    Effect(
      "suzu respond standup default", given: "suzu notify x --id standup --url https://example.org/",
      after: [.ran("xdg-open https://example.org/")]),
    Effect(
      "suzu respond message answer --reply 'On my way' --app org.example.Chat",
      given: #"""
        echo '{"title": "x", "id": "message", "app": "org.example.Chat",
          "actions": [{"id": "answer", "input": {}, "run": ["calendar", "{reply}"]}]}' | suzu notify --file -
        """#, after: [.ran("calendar On my way")]),
    Effect(
      "suzu category set invite --action accept=Accept --action decline=Decline --action later='Ask me later'",
      after: [.shell("suzu category show invite", "on alerts:  Accept, Decline, Ask me later")]),
    Effect(
      "suzu category set backup --action now='Back up now' --run now='backup --all' --action later=Later --snooze later=1h",
      after: [
        .shell("suzu category show backup", "now: runs backup --all")
      ]),
    Effect(
      "suzu category set door --action open=Open --http open='PUT https://home.example.com/door/{userInfo.door}'",
      after: [.shell("suzu category show door", "(?s).*calls PUT https://home.*")]),
    Effect(
      "suzu category set --file categories.json", files: ["categories.json": #"[{"id": "a"}, {"id": "b"}]"#],
      after: [.shell("suzu category list --json | jq -c 'map(.id)'", #"\["a","b"\]"#)]),
    Effect("suzu category list", given: invite, prints: "ID .*invite .*"),
    Effect("suzu category show invite --json", given: invite, prints: "\\{.*\"id\":\"invite\".*\\}"),
    Effect(
      "suzu category remove invite", given: invite, after: [.shell("suzu category list --json", #"^\[\]"#)]),
    Effect(
      "suzu category check ~/.config/suzu/categories.d/*.json",
      files: [".config/suzu/categories.d/tea.json": #"[{"id": "tea"}, {"id": "milk"}]"#],
      prints: ".*/tea.json: tea, milk", complains: ".* 'tea' has no actions.*\n.* 'milk' has no actions.*"),
    Effect("suzu apps", given: "suzu apps deny a.b", prints: "APP .*a\\.b .*"),
    Effect(
      "suzu apps deny org.example.Chatter sound", complains: unknownApp,
      after: [.shell("suzu apps", "org.example.Chatter .*alert")]),
    Effect(
      "suzu apps deny org.example.Chatter", complains: unknownApp,
      after: [.shell("suzu apps", "org.example.Chatter ")]),
    Effect(
      "suzu apps deliver org.example.News 12:30,17:00",
      after: [.shell("suzu apps", "org.example.News .*passive at 12:30, 17:00")]),
    Effect(
      "suzu apps deliver org.example.News now", after: [.shell("suzu apps", "org.example.News +alert badge sound")]),
    Effect(
      "suzu apps away org.example.Chatter hold",
      after: [.shell("suzu apps", "org.example.Chatter .*banners when you are back")]),
    Effect(
      "suzu apps away org.example.Mail keep",
      after: [.shell("suzu apps", "org.example.Mail .*banners stay until you are back")]),
    Effect(
      "suzu apps previews org.example.Chatter unlocked",
      after: [.shell("suzu apps", "org.example.Chatter .*texts when unlocked")]),
    Effect(
      "suzu apps reset org.example.Chatter", given: "suzu apps deny org.example.Chatter",
      after: [.shell("suzu apps --json", #"^\[\]"#)]),
    Effect(
      "suzu apps allow org.example.Chatter alert badge", complains: unknownApp,
      after: [.shell("suzu apps", "org.example.Chatter .*alert")]),
  ]

  private static let unknownApp =
    "suzu: apps: warning: stored, but no app 'org.example.Chatter' is installed or has sent anything; .*"

  private static let nothingIsToCome: Step = .shell("suzu list --json", #"^\[\]"#)
  private static let invite = "suzu category set invite --action a=A"

  private static let bringing: [Effect] = [
    Effect(
      "suzu import reminders.json", files: ["reminders.json": #"[{"title": "Tea", "id": "tea", "in": "1h"}]"#],
      prints: "tea", after: [.shell("suzu list", "tea +Tea")]),
    Effect(
      "suzu import ~/calendar.ics --skip", files: ["calendar.ics": calendar], needs: .libical, prints: "birthday",
      complains: ".*line 17: skipped: .*Customized Time Zone.*", after: [.shell("suzu list", "09:00 .*birthday")]),
    Effect(
      "suzu follow ~/.calendars --skip", files: [".calendars/home/a.ics": plainCalendar], needs: .libical,
      after: [.shell("suzu list", "09:00 .*birthday")]),
    Effect(
      "suzu follow ~/calendar.ics", files: ["calendar.ics": plainCalendar], needs: .libical,
      after: [.shell("suzu list", "09:00 .*birthday")]),
    Effect(
      "suzu follow --stop ~/calendar.ics", given: "suzu follow ~/calendar.ics", files: ["calendar.ics": plainCalendar],
      needs: .libical, after: [.shell("suzu list --json", #"^\[\]"#)]),
    Effect("suzu export | ssh other-machine suzu import -", given: tea, prints: "tea"),
    Effect("suzu export reminders.json", given: tea, after: [.shell("cat reminders.json", "\"title\":\"Tea\"")]),
    Effect(
      "suzu export --ics ~/reminders.ics", given: tea, needs: .libical,
      after: [.shell("cat reminders.ics", "SUMMARY:Tea")]),
    Effect(
      "suzu export --categories --app org.example.Tea", given: invite + " --app org.example.Tea",
      prints: "\\{\"app\":\"org.example.Tea\".*invite.*\\}"),
    Effect(
      "suzu export --everything suzu.json", given: tea + "; " + invite + "; suzu apps deny a.b",
      after: [
        .shell("cat suzu.json", "\"title\":\"Tea\""), .shell("cat suzu.json", "invite"),
        .shell("cat suzu.json", "\"a.b\""),
      ]),
    Effect("suzu launcher list", prints: "ON .*Firefox .*"),
    Effect("suzu launcher list Firefox org.gnome.Calendar", prints: "ON .*New Event .*New Window .*"),
    Effect(
      "suzu launcher enable Firefox 'Firefox:New Window' org.gnome.Calendar:new-event",
      after: [.shell("suzu launcher list --on", "on +Firefox +New Window")]),
    Effect(
      "suzu launcher import appList.plist schemes.plist", files: samples, complains: "clicks may now open .*",
      after: [.shell("suzu launcher list", "TweetBot")]),
    Effect(
      "suzu launcher register --delay 10s", given: "suzu launcher enable Firefox", prints: "firefox",
      after: [.now, .posted("Firefox"), .press("Firefox", "default"), .ran("firefox ")]),
  ]
}

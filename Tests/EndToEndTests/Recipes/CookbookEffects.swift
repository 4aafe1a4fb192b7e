// SPDX-License-Identifier: Apache-2.0

/// The effects of the examples in docs/COOKBOOK.md.
extension Effect {
  static let cookbook = reminding + events + asking + presenting + many + everywhere + explaining

  private static let reminding: [Effect] = [
    Effect(
      "$ suzu notify 'Tea is ready' --in 4m", varying: ["Monday 2026-11-23 14:06:10 +01:00", "k3vq9x2mfd"],
      after: [.now, .posted("Tea is ready")]),
    Effect(
      "--run play='mpc play'", prints: "alarm",
      after: [
        .shell("suzu list", "07:30 .*alarm +Get up +Mon,Tue,Thu 07:30"), .now, .posted("Get up"),
        .press("Get up", "play"), .ran("mpc play"), .again, .now, .posted("Get up"), .chosen("Get up", "later", "done"),
        .shell("suzu list", "alarm"), .shell("suzu cancel alarm", ""),
      ]),
    Effect("--in 4m --speak", prints: id, after: [.now, .posted("Tea is ready")]),
    Effect(
      "--every 15m --count 6", varying: ["Monday 2026-11-23 14:15:00 +01:00"],
      after: [.shell("suzu list --json | jq -c '.[] | [.id, .every, .count]'", "stretch.*15m.*6")]
    ),
    Effect(
      "15m, 6 left", given: "suzu notify Stretch --id stretch --every 15m --count 6 --from '2035-06-14 10:00'",
      varying: ["14:15"]),
    Effect(
      "suzu cancel Stretch", given: "suzu notify Stretch --id stretch --every 15m; suzu notify Tea --id tea --in 1h",
      after: [.shell("suzu list --json | jq -c 'map(.id)'", #"^\["tea"\]"#)]),
    Effect(
      "'Send the figures'", varying: ["Friday 2026-11-27 16:00:00 -05:00"],
      after: [.shell("suzu list", "figures +Send the figures +FREQ=MONTHLY;BYDAY=-1FR")]),
    Effect("'Sun 02:30'"),
    Effect("--from 2027-01-01 -n 2"),
    Effect("suzu edit dentist"),
    Effect("suzu edit alarm", varying: ["Tuesday 2026-11-24"]),
    Effect(
      "'Call Anna'", prints: "anna",
      after: [
        .posted("Call Anna"), .chosen("Call Anna", "later", "done"), .shell("suzu list", "anna +Call Anna"), .now,
        .posted("Call Anna"), .chosen("Call Anna", "default", "done"), .now, .posted("Call Anna"),
        .chosen("Call Anna", "done", "done"), .shell("suzu list --json", #"^\[\]"#),
      ]),
    Effect(
      "'Water the plants'", prints: "plants",
      after: [
        .posted("Water the plants"), .shell("suzu respond plants later --reply 1h", ""),
        .shell("suzu list", "snoozed +dev.suzu.Suzu +plants +Water the plants"),
        .shell("suzu show plants --json | jq -r .in", "^1h"),
      ]),
    Effect(
      "--every '08,20:00' --nag 10m", prints: "pill",
      after: [
        .now, .posted("Take the blue pill"), .press("Take the blue pill", "taken"),
        .shell("suzu history pill --json | jq -r '.[0].action'", "^taken"),
      ]),
    Effect(
      "suzu why pill", "suzu ack", given: "suzu notify 'Take the blue pill' --id pill --nag 10m",
      ready: [.posted("Take the blue pill")], varying: ["Mon 2026-11-23 14:02:10"]),
    Effect(
      "alarm-clock-elapsed --nag 2m", prints: "wake",
      after: [
        .now, .posted("Get up"), .shell("suzu respond wake later --reply 10m", ""),
        .shell("suzu list --json | jq -r '.[].nag'", "^2m"), .now, .posted("Get up"),
        .press("Get up", "up"), .shell("suzu history wake", "answered: up"),
      ]),
    Effect(
      "--escalate '10m level=critical", prints: "shop",
      after: [
        .posted("The shop is down"),
        .shell(
          "suzu list --delivered --json | jq -c '.[].escalate[1]'",
          #"^\{"after":"20m","sound":"alarm-clock-elapsed","style":"alert"\}"#),
        .shell("suzu ack shop; suzu history shop", "acknowledged"),
      ]),
  ]

  private static let asking: [Effect] = [
    Effect(
      "--timeout 5m --default no",
      during: [.posted("Deploy?"), .press("Deploy?", "yes"), .ran("deploy ")], prints: "yes"),
    Effect(
      "--hook claude-code", files: ["request.json": hookRequest],
      during: [.posted("Allow Claude Code to use Bash?"), .press("Allow Claude Code to use Bash?", "deny")]),
    Effect("./deploy", "--wait", during: [.posted("Deploy?"), .press("Deploy?", "yes"), .ran("deploy ")]),
    Effect(
      "'Lunch at noon?'",
      during: [
        .posted("Lunch at noon?"),
        .shown("Lunch at noon?", ".*I am coming.*Not today.*Other….*"),
        .shell(
          "suzu respond \"$(suzu list --delivered --json | jq -r '.[].id')\" other --reply 'Half past twelve?'", ""),
      ]),
    Effect(
      "see you at eight", prints: "anna",
      after: [.shell("suzu respond anna answer --reply 'Gladly; at $HOME'", ""), .ran("notes add Gladly; at $HOME")]),
  ]

  private static let presenting: [Effect] = [
    Effect(
      "--progress $percent",
      after: [.latest("Copying", "Copying\\|100 % done\\|.*value .*100.*")]),
    Effect(
      "'2 new messages'", prints: "mail\nmail",
      after: [
        .latest("Mail", "Mail\\|2 new messages\\|.*"),
        .shell("suzu list --delivered --json | jq length; suzu dismiss mail", "^1\n"),
      ]),
    Effect(
      "--url https://example.org/minutes", prints: id,
      after: [
        .posted("The minutes are online"), .press("The minutes are online", "default"),
        .ran("xdg-open https://example.org/minutes"),
      ]),
    Effect(
      "--launch org.gnome.Calendar", prints: id,
      after: [
        .posted("Time to plan the week"), .press("Time to plan the week", "default"), .ran("gnome-calendar "), .again,
        .posted("Time to plan the week"), .press("Time to plan the week", "browse"), .ran("firefox --new-window"),
      ]),
    Effect(
      "suzu launcher register", prints: "firefox",
      after: [.posted("Firefox"), .press("Firefox", "firefox:new-window"), .ran("firefox --new-window")]),
    Effect(
      "suzu run -- make world", during: [.ran("make world")]),
  ]

  private static let many: [Effect] = [
    Effect(
      "cat >reminders.json", prints: "standup\nrent\nbackup",
      after: [
        .shell("suzu list --json | jq -c 'map(.id) | sort'", #"\["backup","rent","standup"\]"#), .now,
        .posted("Standup", "Rent", "Backup"), .press("Backup", "now"), .ran("backup backup"),
      ]),
    Effect(
      "The backup of nas failed", prints: id,
      after: [
        .posted("The backup of nas failed"), .press("The backup of nas failed", "again"), .ran("backup --host nas"),
        .shell("suzu notify x --id x --category backup --user-info host=nas", ""), .posted("x"),
        .shell("suzu respond x log", ""), .ran("xdg-open https://example.org/log?host=nas"),
      ]),
    Effect(
      "suzu import ~/calendar.ics", files: ["calendar.ics": plainCalendar], needs: .libical,
      prints: "birthday\nNEXT .*09:00 .*Anna's birthday.*"),
    Effect(
      "suzu follow ~/.calendars/home", files: [".calendars/home/anna.ics": plainCalendar], needs: .libical,
      prints: "CALENDAR +ALARMS .*/.calendars/home +1 +dev.suzu.Suzu +ok",
      after: [
        .shell("suzu list", "birthday +Anna's birthday"), .shell("suzu cancel birthday", ""),
        .shell(
          "rm ~/.calendars/home/anna.ics; suzu follow --stop ~/.calendars/home; suzu follow --list --json", #"^\[\]"#),
      ]),
    Effect("suzu export --everything", given: everything, needs: .libical),
    Effect(
      "suzu category remove invite", given: everything,
      after: [.shell("suzu category list --json; suzu apps --json", #"^\[\]\n\[\]"#)]),
    Effect(
      "suzu import backup/suzu.json", given: everything + backup + removal,
      varying: ["/home/anna/.config/suzu/categories.d/backup.json"],
      after: [
        .shell("suzu category show invite", "accept: answers --wait, and otherwise only closes the notification"),
        .shell("suzu category list", "backup +\\(any\\) +later"), .shell("suzu launcher list --on", "Firefox"),
        .shell("suzu apps", "Chatter +alert badge "),
        .shell("suzu apps allow org.example.Chatter; suzu import backup/suzu.json; suzu apps", "Chatter +alert badge "),
        .now, .posted("Get up", "Tea is ready"), .press("Get up", "play"), .ran("mpc play"),
      ]),
    Effect(
      "suzu import backup/suzu.ics", given: everything + backup + removal, needs: .libical,
      after: [
        .shell("suzu list", "alarm +Get up +Mon,Tue,Thu 07:30"), .now, .posted("Get up", "Tea is ready"),
        .press("Get up", "play"), .ran("mpc play"),
      ]),
  ]

  /// Something of each kind to export.
  private static let everything = """
    suzu notify 'Get up' --id alarm --every 'Mon,Tue,Thu 07:30' --action play='Play music' --run play='mpc play'
    suzu notify 'Tea is ready' --id tea --app org.example.Tea --at '2035-06-14 8:00'
    suzu category set invite --action accept=Accept
    mkdir -p ~/.config/suzu/categories.d
    echo '{"id": "backup", "actions": [{"id": "later", "title": "Later", "snooze": "1h"}]}' \
      >~/.config/suzu/categories.d/backup.json
    suzu apps deny org.example.Chatter sound
    suzu launcher enable Firefox

    """

  /// The first part of the recipe, as a script; the calendar needs libical.
  private static let backup = """
    mkdir backup; suzu export --everything backup/suzu.json; suzu export --ics backup/suzu.ics || true
    cp ~/.config/suzu/launcher.json backup

    """

  /// The second part.
  private static let removal = """
    suzu cancel --all; suzu cancel --all --app org.example.Tea; suzu category remove invite
    rm -r ~/.config/suzu; suzu apps reset org.example.Chatter

    """

  private static let everywhere: [Effect] = [
    Effect(
      "'The backup failed'", isWithoutDesktop: true, needs: .bubblewrap, prints: "\(id)", complains: ".*tar.*",
      after: [.posted("The backup failed")]),
    Effect(
      "--user anna", isWithoutDesktop: true, needs: .bubblewrap, prints: id,
      after: [.posted("The disk is almost full"), .shown("The disk is almost full", ".*urgency .*2.*")]),
    Effect(
      "~/.local/bin/notify-send -u",
      after: [
        .posted("Battery low"),
        .shown("Battery low", ".*\\|<b>Five minutes</b> are left\\|.*urgency .*2.*\\|battery-caution"),
      ]),
    Effect("busctl --user call", prints: "s \"alarm\"", after: getUp),
    Effect("gdbus call", prints: "\\('alarm',\\)", after: getUp),
    Effect(
      "import Suzu", after: [.shell("suzu list", "Tea is ready"), .now, .posted("Tea is ready")]),
  ]

  private static let getUp: [Step] = [.now, .posted("Get up"), .press("Get up", "play"), .ran("mpc play")]

  private static let explaining: [Effect] = [
    Effect(
      "suzu history --since",
      given: "suzu apps deny org.example.Backup; suzu notify 'Backup is done' --app org.example.Backup --id done",
      varying: ["Sun 2026-11-22 14:02:10", "14:02:10"],
      after: [.shell("suzu notify x --app org.example.Backup", ""), .posted("x")]),
    Effect(
      "suzu watch",
      during: [.answered("Watch"), .shell("suzu notify Tea --id tea", ""), .line(".*delivered.*tea"), .interrupt],
      prints: ".*", status: 130),
    Effect(
      "org.example.Chatter sound",
      complains: ".*no app 'org.example.Chatter' is installed.*\n.*no app 'org.example.Backup' is installed.*",
      after: [
        .shell("suzu apps", "org.example.Chatter +alert badge .*"), .shell("suzu apps", "org.example.Backup +nothing"),
      ]),
    Effect(
      "suzu apps deliver",
      after: [
        .shell("suzu notify News --app org.example.News --level passive", ""),
        .shell("suzu history", "held until \\d{4}-\\d\\d-\\d\\d (12:30|17:00) .*News"),
        .shell("suzu why News --app org.example.News", "has come, and is held until .* (12:30|17:00)"),
        .shell("suzu apps", "org.example.News .*passive at 12:30, 17:00"),
        .shell("suzu apps deliver org.example.News now", ""), .posted("News"),
      ]),
    Effect(
      "suzu category set chat",
      after: [
        .shell(
          "suzu category show chat --app org.example.Chatter",
          "(?s)while texts are hidden: \\{count\\} messages\n  in a digest: \\{count\\} more messages from \\{names\\}")
      ]),
    Effect(
      "suzu apps previews",
      after: [
        .shell("suzu apps", "org.example.Chatter .*texts when unlocked"),
        .shell("suzu apps --json", "\"previews\":\"unlocked\""),
        .shell("suzu apps previews org.example.Chatter never; suzu notify Tea --app org.example.Chatter", ""),
        .posted("org.example.Chatter"),
      ]),
    Effect(
      "org.example.Mail keep", after: [.shell("suzu apps", "org.example.Mail .*banners stay until you are back")]),
    Effect("--evry", after: [.shell("suzu list --json", #"^\[\]"#)]),
    Effect("kill -KILL"),
  ]
}

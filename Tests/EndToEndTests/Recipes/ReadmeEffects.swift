// SPDX-License-Identifier: Apache-2.0

extension Effect {
  static let readme: [Effect] = [
    Effect(
      "'Standup in five minutes'",
      during: [
        .answered("Notify"), .now, .posted("Standup in five minutes"),
        .shown("Standup in five minutes", ".*\\|Room 2. Will you be there\\?\\|.*Join\\|Not today\\|.*"),
        .press("Standup in five minutes", "join"),
      ], prints: "join"),
    Effect(
      "'Get up'", prints: "alarm",
      after: [
        .shell("suzu list", "alarm +Get up +Mon,Tue,Thu 07:30"), .now, .posted("Get up"), .press("Get up", "ok"),
        .ran("gnome-calendar "),
      ]),
    Effect("'Backup failed'", prints: id, after: bothOfBackup),
  ]

  static let guide: [Effect] = [
    Effect("suzu next 'Mon,Tue,Thu 07:30'", prints: "UTC .*07:30:00 .*"),
    Effect("./deploy", during: [.posted("Deploy?"), .press("Deploy?", "yes"), .ran("deploy ")]),
    Effect(
      "suzu import reminders.json", given: "suzu notify Old --in 1h --id old",
      files: [
        "reminders.json":
          #"[{"title": "Standup", "id": "standup", "every": "Mon..Fri 09:25"}, {"title": "x", "at": "2020-01-01 07:00"}]"#
      ],
      prints: "1\nstandup\n\(id)\nNEXT(?=.* Stretch +15m)(?=.* Standup +Mon..Fri 09:25).*",
      complains: "skipped because their time has passed: 1",
      after: [.shell("suzu list --json | jq -c '[.[].count] | sort'", #"^\[null,6\]"#)]),
    Effect(
      "suzu launcher register", prints: "ON .*0 of 2  Firefox .*\nfirefox",
      after: [
        .now, .posted("Firefox"), .press("Firefox", "firefox:new-window"), .ran("firefox --new-window"),
      ]),
    Effect(
      "alias notify-send", prints: id,
      after: [
        .posted("Battery low"),
        .shown("Battery low", ".*\\|Five minutes are left\\|.*urgency .*2.*\\|battery-caution"),
      ]),
    Effect(
      "import NotificationModel", after: [.shell("suzu list", "Tea is ready"), .now, .posted("Tea is ready")]),
    Effect(
      "'actions[1].url'",
      files: [
        "reminders.json": """
        {
          "title": "Standup",
          "id": "standup",
          "actions": [
            {"id": "join", "title": "Join"},
            {"id": "notes", "title": "Notes",
            "url": "nowhere"}]}
        """
      ]),
    Effect("suzu next 02:30"),
  ]

  /// Presses both buttons of the failed backup.
  static let bothOfBackup: [Step] = [
    .posted("Backup failed"), .press("Backup failed", "again"), .ran("systemctl --user start backup.service"), .again,
    .posted("Backup failed"), .press("Backup failed", "log"), .ran("xdg-open https://example.org/backup"),
  ]

  /// Examples that are not run, by a part of their text, with the reason.
  static let notRun = [
    "make demo": "these two build everything, and run this test",
    "sudo make install": "it changes the machine; make try-deb does it in a bare Debian",
    "git clone . /tmp/suzu-first": "it builds everything, and runs tests from within a test",
    "dbus-run-session -- bash": "it opens an interactive shell",
    "make deb": "it changes the machine; make try-deb does it in a bare Debian",
  ]
}

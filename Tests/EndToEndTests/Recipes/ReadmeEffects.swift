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
      ])
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

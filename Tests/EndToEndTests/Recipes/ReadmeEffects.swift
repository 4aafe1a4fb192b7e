// SPDX-License-Identifier: Apache-2.0

/// The effects of the examples in README.md.
extension Effect {
  static let readme: [Effect] = [
    Effect(
      "'Hello' 'It works'",
      varying: [
        "Monday 2026-11-23 14:02:20 +01:00", "Monday 2026-11-23 14:32:15 +01:00", "14:02:20", "14:32:15",
        "r4ej4kbkaz",
      ],
      after: [.shell("suzu list --json | jq 'map(.id) | index(\"stretch\")'", "^null"), .now, .posted("Hello")]),
    Effect(
      "'Standup in five minutes'",
      during: [
        .answered("Notify"), .now, .posted("Standup in five minutes"),
        .shown("Standup in five minutes", ".*\\|Room 2. Will you be there\\?\\|.*Join\\|Not today\\|.*"),
        .press("Standup in five minutes", "join"),
      ], prints: "join"),
    Effect(
      "'Time for bed'", prints: "bedtime",
      after: [
        .shell("suzu list", "bedtime +Time for bed +Sun..Thu 22:30"), .now, .posted("Time for bed"),
        .press("Time for bed", "lock"), .ran("xdg-screensaver lock"), .again, .now, .posted("Time for bed"),
        .chosen("Time for bed", "later", "done"), .shell("suzu list", "bedtime"),
        .shell("suzu cancel bedtime; suzu list --json", #"^\[\]"#),
      ]),
    Effect("busctl --user call", prints: "s \"\(id)\"", after: [.now, .posted("Tea is ready")]),
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
    "[D-BUS Service]": "a file for the bus, such as those that the tests of the examples install",
    "X-Suzu-ChangesPushes=true": "a desktop entry, such as the one that ApplicationTests installs",
    "[Unit]\nOnFailure=": "a part of a unit; Packaging/try/session runs one under a real systemd",
    "[Service]\nEnvironment=": "a part of a unit; Packaging/try/session sets the variable",
    "make deb": "it changes the machine; make try-deb does it in a bare Debian",
    "apt install suzu-link": "it changes the machine; make try-deb does it in a bare Debian",
    "suzu link test home": "it talks to a server elsewhere; SuzuLinkTests has one on this machine",
    "curl -d 'The backup is done'": "it talks to a server elsewhere; SuzuLinkTests has one on this machine",
    "mosquitto_pub -h mqtt.example.com": "it talks to a server elsewhere; SuzuLinkTests has one on this machine",
    "\"body\": \"Failed\"": "what a server sends; SuzuLinkTests sends it",
    "auth-default-access: deny-all": "settings of a server; SuzuLinkTests runs one with these",
    "# /etc/mosquitto/": "settings of a server; SuzuLinkTests runs one with these",
    "[Service]\nLoadCredential=": "a part of a unit; SuzuLinkTests passes a credential as systemd does",
    "[Service]\nLimitNOFILE=": "a part of the unit of a broker; 'make fleet' has one that is not limited",
  ]
}

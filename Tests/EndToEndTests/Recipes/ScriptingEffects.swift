// SPDX-License-Identifier: Apache-2.0

/// The effects of the examples in docs/SCRIPTING.md.
extension Effect {
  static let scripting: [Effect] =
    peers("'Get up'", ("s \"alarm\"", "\\('alarm',\\)", "alarm"), after: alarm)
    + [
      Effect(
        "busctl", "'Deploy?'", during: [.answered("Watch"), .posted("Deploy?"), .press("Deploy?", "yes")],
        prints: "s \"deploy\"\nyes"),
      Effect(
        // The earlier recipe waited forever for an answer after a dismissal.
        "gdbus", "'Deploy?'",
        during: [.answered("Watch"), .posted("Deploy?"), .shell("suzu dismiss deploy", "")],
        prints: "\\('deploy',\\)\nno answer"),
      Effect(
        "import Gio", "'Deploy?'", needs: .python3, during: [.posted("Deploy?"), .press("Deploy?", "yes")],
        prints: "yes", after: [.shell("suzu history", "Deploy\\? +done")]),
      Effect(
        "import dbus", "'Deploy?'", needs: .python3, during: [.posted("Deploy?"), .press("Deploy?", "no")],
        prints: "no", after: [.shell("suzu history", "Deploy\\? +done")]),
    ]
    + peers("'Backup failed'", ("s \"\(id)\"", "\\('\(id)',\\)", ""), after: bothOfBackup)
    + peers(
      "tandup",
      (
        "u 1\nas 2 \"standup\" \"stretch\"\n(?=.*:00  Standup)(?=.*  Stretch).*",
        "\\(uint32 1,\\)\n\\(\\['standup', 'stretch'\\],\\)\n\\((?=.*'Standup')(?=.*'count': <int64 6>).*\\)",
        "(?=.*:00 Standup)(?=.* Stretch).*"
      ),
      given: "suzu notify Old --in 1h",
      after: [.shell("suzu list --json | jq -c '[.[].count] | sort'", #"^\[null,6\]"#)])
    + peers(
      "'window'", ("s \"firefox\"", "\\('firefox',\\)", ""),
      after: [
        .posted("Firefox"), .press("Firefox", "default"), .ran("firefox "), .again, .posted("Firefox"),
        .press("Firefox", "window"), .ran("firefox --new-window"),
      ])
    + [
      Effect(
        "center.Watch", needs: .python3,
        during: [
          .answered("Watch"), .shell("suzu notify Tea --id tea", ""), .posted("Tea"),
          .line("Delivered dev.suzu.Suzu tea \\{.*\\}"), .press("Tea", "default"),
          .line("(Responded|Closed) .*tea.*"), .terminate,
        ], prints: ".*", status: 143),
      Effect("'titel'"),
      Effect("get_remote_error", needs: .python3, prints: "dev.suzu.Error.NotFound"),
    ]

  /// The same with `busctl`, `gdbus` and Python.
  private static func peers(
    _ key: String, _ prints: (String, String, String), given: String = "", after: [Step]
  ) -> [Effect] {
    // systemd's shell form has fewer quotes.
    let plain = key == "'window'" ? "s window" : key
    return [
      Effect("busctl", plain, given: given, prints: prints.0, after: after),
      Effect("gdbus", key, given: given, prints: prints.1, after: after),
      Effect("import Gio", key, given: given, needs: .python3, prints: prints.2, after: after),
    ]
  }

  private static let alarm: [Step] = [
    .shell("suzu list", "alarm +Get up +Mon,Tue,Thu 07:30"), .now, .posted("Get up"), .press("Get up", "day"),
    .ran("gnome-calendar "),
  ]
}

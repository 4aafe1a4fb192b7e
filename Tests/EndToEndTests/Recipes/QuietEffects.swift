// SPDX-License-Identifier: Apache-2.0

/// The effects of the examples in `docs/QUIET.md`, and of those in the help of `suzu quiet`.
extension Effect {
  static let quiet: [Effect] = [
    Effect(
      "suzu quiet on ", after: [.shell("suzu quiet", "^quiet: no\nshown anyway: timeSensitive and critical\n")]),
    Effect(
      "'Sat,Sun 23:00..09:00'",
      prints: "quiet: [^\n]*\nshown anyway: timeSensitive and critical\nhours: Mon..Fri 22:00..07:00\n"
        + "hours: Sat,Sun 23:00..09:00\nhours: Sun \\*-\\*-1..7 14:00 for 3h\nafterwards: one notification for all\n"
        + "org.example.Chatter: [^\n]*Mon..Fri 09:00..17:00"),
    Effect(
      "pass critical",
      after: [
        .shell("suzu quiet", "shown anyway: critical only\n"),
        .shell("suzu quiet --app org.example.Medication", "shown anyway: critical only\n"),
      ]),
    Effect(
      "after each",
      after: [
        .shell("suzu quiet on; suzu notify A --id a 2>&1; suzu notify B", "quiet hours hold it until you turn quiet"),
        .shell("suzu why a", "is held until you turn quiet hours off"), .shell("suzu quiet off", ""), .posted("A", "B"),
      ]),
    Effect(
      "desktop on",
      after: [
        .shell("suzu quiet", "also quiet: while 'Do not disturb' of the desktop is on"), .shell("suzu notify A", ""),
        .posted("A"),
      ]),
  ]

  static let helpOfQuiet: [Effect] = [
    Effect("suzu quiet", given: "suzu quiet on", prints: "quiet: until you turn quiet hours off\n.*"),
    Effect("suzu quiet on", after: [.shell("suzu quiet", "^quiet: until you turn quiet hours off\n")]),
    Effect("suzu quiet for 2h", after: [.shell("suzu quiet", "^quiet: until .*, in (2 h|1 h 59 min)\n")]),
    Effect("suzu quiet until 'tomorrow 07:00'", after: [.shell("suzu quiet", "^quiet: until .* 07:00, in ")]),
    Effect("suzu quiet off", given: "suzu quiet on", after: [.shell("suzu quiet", "^quiet: no\n")]),
    Effect("suzu quiet add 'Mon..Fri 22:00..07:00'", after: [.shell("suzu quiet", "hours: Mon..Fri 22:00..07:00\n")]),
    Effect("suzu quiet add 'Sun *-*-1..7 14:00 for 3h'", after: [.shell("suzu quiet", "hours: Sun .* for 3h\n")]),
    Effect(
      "suzu quiet remove 'Mon..Fri 22:00..07:00'", given: "suzu quiet add 'Mon..Fri 22:00..07:00'",
      after: [.shell("suzu quiet show --json", #""hours":\[\]"#)]),
    Effect("suzu quiet pass critical", after: [.shell("suzu quiet", "shown anyway: critical only\n")]),
    Effect(
      "suzu quiet pass all --app org.example.Medication",
      after: [.shell("suzu quiet", "org.example.Medication: everything comes\n")]),
    Effect(
      "suzu quiet add 09:00..17:00 --app org.example.Chatter",
      after: [.shell("suzu quiet", "org.example.Chatter: .*09:00..17:00\n")]),
    Effect("suzu quiet desktop on", after: [.shell("suzu quiet", "also quiet: while 'Do not disturb'")]),
    Effect("suzu quiet after each", after: [.shell("suzu quiet", "afterwards: each by itself\n")]),
  ]
}

// SPDX-License-Identifier: Apache-2.0

/// The pages about time, buttons, and other places than the desktop.
extension Effect {
  static let time: [Effect] = [
    Effect("suzu next 1d"), Effect("INTERVAL=2"), Effect("suzu next hourly"),
  ]

  static let history: [Effect] = [
    Effect(
      "suzu history --search invoice",
      given: "suzu notify 'Pay the invoice'; suzu notify Tea --id tea; suzu notify Nas --app org.example.Backup",
      ready: [.posted("Pay the invoice", "Tea", "Nas")],
      prints: "WHEN [^\n]*\n[^\n]* Pay the invoice[^\n]*\nWHEN [^\n]*\n[^\n]* Nas[^\n]*"),
    Effect(
      "suzu history --clear",
      given:
        "for app in dev.suzu.Suzu org.example.Tea; do suzu notify T --in 1h --app $app; suzu cancel --all --app $app; done",
      prints: "0\n1\n1", after: [.shell("suzu history --json", #"^\[\]"#)]),
  ]

  static let buttons: [Effect] = [
    Effect(
      "'Backup failed'", prints: "backup",
      after: [
        .posted("Backup failed"), .press("Backup failed", "again"), .ran("systemctl --user start backup.service"),
        .again, .posted("Backup failed"), .press("Backup failed", "default"),
        .ran("xdg-open https://example.org/backup"),
        .again, .posted("Backup failed"), .shell("suzu respond backup again", ""),
        .ran("systemctl --user start backup.service"),
      ]),
    // A click that is no answer, in a script whose default must be safe.
    Effect(
      "'Delete the old backups?'",
      during: [.posted("Delete the old backups?"), .press("Delete the old backups?", "default")], prints: "keeping"),
    Effect(
      "'The bell'", prints: "bell",
      after: [
        .shell("suzu show bell", #"(?s).*call PUT https://home\.example\.com/api/doors/front.*"#)
      ]),
    Effect(
      "\"door\"",
      after: [
        .shell(
          "suzu category show door", #"open.*: calls POST https://home\.example\.com/api/doors/\{userInfo\.door\}"#)
      ]),
    Effect(
      "\"invite\"",
      after: [
        .shell("suzu category show invite", "Accept, Decline, Answer, Show it"),
        .shell("suzu notify 'Lunch?' --category invite --style alert --user-info event=42", ""), .posted("Lunch?"),
        .press("Lunch?", "accept"), .ran("calendar accept 42"), .shell("suzu doctor", "(?!.*recipe.json)"),
        .shell("suzu notify Supper --category invite --style alert --user-info event=43", ""), .posted("Supper"),
        .press("Supper", "open"), .ran("gnome-calendar "),
      ]),
  ]

  static let elsewhere: [Effect] = [
    Effect(
      "'Lunch' --expires", isWithoutDesktop: true, needs: .bubblewrap, prints: id, after: [.posted("Lunch")]),
    // RemoteUnitTests runs the units.
    Effect("suzu-remote@build.socket", during: [.ran("systemctl --user enable --now suzu-remote@build.socket")]),
    Effect("suzu doctor --ssh build", prints: ".*\n  RemoteForward .*/suzu-home.sock .*/suzu/remote-build.sock\n.*"),
    Effect("ssh build 'make", prints: id, after: [.ran("make "), .posted("The build has ended")]),
    Effect("ssh desktop", prints: id, after: [.posted("The build is done")]),
    Effect(
      "'The disk is almost full'", isWithoutDesktop: true, needs: .bubblewrap, prints: id,
      after: [.posted("The disk is almost full")]),
    Effect(
      "'The update failed'", isWithoutDesktop: true, needs: .bubblewrap, prints: id,
      after: [.posted("The update failed")]),
  ]
}

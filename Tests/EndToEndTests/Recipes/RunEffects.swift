// SPDX-License-Identifier: Apache-2.0

/// The effects of the examples in `docs/RUN.md`.
extension Effect {
  static let run: [Effect] = [
    Effect("run -- make -j4", during: [.ran("make -j4")]),
    Effect("--title Deploy", during: [.ran("deploy --all")]),
    Effect("--progress", during: [.ran("make iso")]),
    // The real shells run the hooks in ShellHookTests.
    Effect("--hook bash", after: [.shell("cat ~/.bashrc", "^eval \"\\$\\(suzu run --hook bash\\)\"\n$")]),
    Effect("--hook zsh", after: [.shell("cat ~/.zshrc", "^eval \"\\$\\(suzu run --hook zsh\\)\"\n$")]),
    Effect(
      "--hook fish", after: [.shell("cat ~/.config/fish/config.fish", "^suzu run --hook fish \\| source\n$")]),
    Effect(
      "service.d", during: [.ran("systemctl --user daemon-reload")],
      after: [
        .shell(
          "cat ~/.config/systemd/user/service.d/notify.conf",
          "^\\[Unit\\]\nOnFailure=suzu-notify@%n.service\n$"),
        .shell("cat ~/.config/systemd/user/suzu-notify@.service.d/notify.conf", "^\\[Unit\\]\nOnFailure=\n$"),
      ]),
    Effect(
      "suzu mute unit-backup.service",
      after: [
        .shell("suzu mute --list", "dev.suzu.Suzu +unit-backup.service"),
        .shell(
          "suzu notify 'Backup failed' --id unit-backup.service; suzu history unit-backup.service",
          "muted"),
      ]),
  ]
}

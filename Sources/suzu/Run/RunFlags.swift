// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The flags of `suzu run`.
enum RunFlags {
  static let usualOver: Duration = .seconds(10)

  static let behaviour = [
    Flag("over", "DURATION", "notify only if it took at least this long, or failed (default: 10s)"),
    Flag(
      "keep", "WHAT", completing: .words(KeptStreams.allCases.map(\.rawValue)),
      "keep the end of the output: auto (of pipes and files), all, none"),
    Flag("progress", nil, "show its progress: OSC 9;4 sequences and percentages; implies --keep all"),
    Flag("away", nil, "notify only if its terminal is not in front, where that can be known"),
    Flag("title", "TEXT", "name the command by this text"),
  ]

  private static let shared: Set<String> = [
    "icon", "image", "sound", "app-name", "style", "level", "expires", "id", "thread", "category",
  ]
  static let looks = NotifyCommand.flags.filter { shared.contains($0.name) }

  static let otherUses = [
    Flag(
      "hook", "SHELL", completing: .words(ShellHook.Shell.allCases.map(\.rawValue)),
      "print what makes bash, zsh or fish notify after each long command"),
    Flag("skip", "PROGRAM", isList: true, "with --hook: do not notify after this program"),
    Flag("again", "ID", "run the command of a notification again"),
    Flag("show", "ID", "print the kept output of a command"),
    Flag("took", "DURATION", "notify about a command that has ended, after this time"),
    Flag("status", "N", "with --took: its exit status (default: 0)"),
  ]
}

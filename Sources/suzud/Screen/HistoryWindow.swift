// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel
internal import SystemFiles

/// The action of a click on a digest ('and 480 more'): it opens the history in the user's terminal.
enum HistoryWindow {
  /// Returns nil if no program can open a terminal: the digest then names the command to type.
  static func action(programs: ProgramSearch = .current) -> Action? {
    guard let terminal = TerminalEmulator.words(programs: programs) else { return nil }
    // The pager keeps the window open. The app's name is an argument, never part of the shell program;
    // and it is filled in by a placeholder, because it may contain the text of one.
    let script = #"suzu history --app "$1" | ${PAGER:-less}"#
    // It has no time limit, because the window stays open for as long as it is read.
    return Action(
      id: Action.defaultID, title: "History", foreground: true,
      effect: .run(terminal + ["sh", "-c", script, "suzu", "{app}"]))
  }
}

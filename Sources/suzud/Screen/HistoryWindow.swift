// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import SystemFiles

/// What a click on 'and 480 more' opens: the history, in the user's terminal.
enum HistoryWindow {
  /// Nil where there is no program that opens a terminal: the notification then says what to type.
  static func action(for app: String, programs: ProgramSearch = .current) -> Action? {
    guard let terminal = terminals.first(where: { programs.path(of: $0[0]) != nil }) else { return nil }
    // The shell keeps the window open until the list has been read; the app's name is never part of its program.
    let script = #"suzu history --app "$1" | ${PAGER:-less}"#
    // It brings a window to the front, which stays open for as long as it is read: no time limit ends it.
    return Action(
      id: Action.defaultID, title: "History", foreground: true,
      effect: .run(terminal + ["sh", "-c", script, "suzu", app]))
  }

  /// The desktop's choice, then Debian's.
  private static let terminals = [["xdg-terminal-exec"], ["x-terminal-emulator", "-e"]]
}

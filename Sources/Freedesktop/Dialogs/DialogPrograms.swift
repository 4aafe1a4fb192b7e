// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// The programs that draw our dialogs, in the order in which they are tried.
enum DialogPrograms {
  /// Those that are installed: ours, then the desktop's own. Each is looked for when it is needed.
  static var installed: some Sequence<any DialogProgram> {
    let desktops = EnvironmentVariable.value(of: "XDG_CURRENT_DESKTOP")?.split(separator: ":") ?? []
    let order: [any DialogProgram] =
      desktops.contains("KDE")
      ? [WindowDialogs(), KDialogDialogs(), ZenityDialogs()] : [WindowDialogs(), ZenityDialogs(), KDialogDialogs()]
    return order.lazy.filter { ProgramSearch.current.path(of: $0.name) != nil }
  }
}

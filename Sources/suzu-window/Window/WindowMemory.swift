// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import SystemFiles

/// What the window remembers until its next start: `$XDG_STATE_HOME/suzu/window`. It can be lost without harm.
@MainLoop struct WindowMemory {
  private let folder = String(cString: g_get_user_state_dir()) + "/suzu"
  private var path: String { folder + "/window" }
  private static let week = "upcoming=week\n", list = "upcoming=list\n"

  /// Whether the page *Upcoming* shows the week.
  var showsWeek: Bool {
    didSet {
      g_mkdir_with_parents(folder, 0o700)
      try? AtomicFile(path).write((showsWeek ? Self.week : Self.list).utf8)
    }
  }

  init() {
    showsWeek = false
    showsWeek = (try? RegularFile.read(path, limit: 1000)) == Array(Self.week.utf8)
  }
}

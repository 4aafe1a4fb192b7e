// SPDX-License-Identifier: Apache-2.0
package import SystemFiles

/// The program that opens a window with a terminal and runs a command in it.
package enum TerminalEmulator {
  /// The words before the command, the user's choice first, then Debian's; nil if no such program is installed.
  package static func words(programs: ProgramSearch = .current) -> [String]? {
    [["xdg-terminal-exec"], ["x-terminal-emulator", "-e"], ["xterm", "-e"]].first { programs.path(of: $0[0]) != nil }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import Glibc
internal import NotificationModel

/// The program `suzu-window`: the window of Suzu, a client of the center.
@main enum SuzuWindow {
  private static let help = """
    suzu-window: the window of Suzu: what is coming up, alarms, events, the launcher, and what apps may do
    Usage: suzu-window
           suzu-window --help | --version

    It shows what the center of notifications stores, and changes it. A second start brings the window to the front.
    Keys: Ctrl+N new, Delete cancel, Ctrl+Z undo, Ctrl+F search, Alt+1 to Alt+6 pages, Ctrl+Q quit.

    """

  static func main() {
    let words = CommandLine.arguments.dropFirst()
    switch words.first {
    // The bus starts it with this option.
    case nil, "--gapplication-service": break
    case "--help" where words.count == 1, "-h" where words.count == 1: finish(help, 0)
    case "--version" where words.count == 1: finish("suzu-window \(ProductVersion.text)\n", 0)
    case let word?: finish("suzu-window: '\(word)' is not an option; see 'suzu-window --help'\n", EX_USAGE)
    }
    signal(SIGPIPE, SIG_IGN)
    guard gtk_init_check() != 0 else {
      finish("suzu-window: no screen: set WAYLAND_DISPLAY or DISPLAY to one that can be opened\n", EX_UNAVAILABLE)
    }
    g_main_context_acquire(nil)
    let status = MainLoop.assume { WindowApplication().run(CommandLine.arguments) }
    exit(status)
  }

  private static func finish(_ text: String, _ status: Int32) -> Never {
    _ = text.withCString { write(status == 0 ? STDOUT_FILENO : STDERR_FILENO, $0, strlen($0)) }
    exit(status)
  }
}

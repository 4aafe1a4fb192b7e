// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import Glibc
internal import NotificationModel
internal import WindowModel

/// The program `suzu-window`: the window of Suzu, a client of the center.
@main enum SuzuWindow {
  private static let help = """
    suzu-window: the window of Suzu: what is coming up, alarms, events, the launcher, and what apps may do
    Usage: suzu-window
           suzu-window --dialog <QUESTION
           suzu-window --help | --version

    It shows what the center of notifications stores, and changes it. A second start brings the window to the front.
    Keys: Ctrl+N new, Delete cancel, Alt+arrows move, Ctrl+Z undo, Ctrl+F search, Alt+W week, Alt+1 to Alt+6 pages,
    Ctrl+Q quit.
    With --dialog it shows one question of an app, which the center writes to its input, and prints the answer.

    """

  static func main() {
    let words = CommandLine.arguments.dropFirst()
    switch words.first {
    // The bus starts it with this option.
    case nil, "--gapplication-service": break
    case "--dialog" where words.count == 1: finish(dialog: QuestionDialog.read())
    case "--help" where words.count == 1, "-h" where words.count == 1: finish(help, 0)
    case "--version" where words.count == 1: finish("suzu-window \(ProductVersion.text)\n", 0)
    case let word?: finish("suzu-window: '\(word)' is not an option; see 'suzu-window --help'\n", EX_USAGE)
    }
    openScreen()
    let status = MainLoop.assume { WindowApplication().run(CommandLine.arguments) }
    exit(status)
  }

  private static func openScreen() {
    signal(SIGPIPE, SIG_IGN)
    guard gtk_init_check() != 0 else {
      finish("suzu-window: no screen: set WAYLAND_DISPLAY or DISPLAY to one that can be opened\n", EX_UNAVAILABLE)
    }
    g_main_context_acquire(nil)
  }

  private static func finish(dialog question: Result<AppQuestion, AppQuestion.Problem>) -> Never {
    switch question {
    case .failure(let problem): finish("suzu-window: --dialog: \(problem.text)\n", EX_DATAERR)
    case .success(let question):
      QuestionDialog.prepare()
      openScreen()
      guard let answer = MainLoop.assume({ QuestionDialog(question).run() }) else { exit(QuestionDialog.noAnswer) }
      finish(answer + "\n", 0)
    }
  }

  private static func finish(_ text: String, _ status: Int32) -> Never {
    _ = text.withCString { write(status == 0 ? STDOUT_FILENO : STDERR_FILENO, $0, strlen($0)) }
    exit(status)
  }
}

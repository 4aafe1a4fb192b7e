// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The mode of a terminal: changed by this program, and restored exactly once, however the program ends.
final class TerminalMode {
  enum Change {
    /// Each key at once, none of them a signal: for a program that draws the whole screen.
    case raw
    /// Each key at once and without an echo; the keys for signals, such as Ctrl-C, keep their effect.
    case quiet
  }

  private let terminal: Int32
  /// The mode before the first change; nil if it is restored.
  private var before: termios?

  /// `terminal` must stay open for as long as this exists.
  init(of terminal: Int32) { self.terminal = terminal }

  deinit { restore() }

  var isChanged: Bool { before != nil }

  /// Whether the terminal still has a mode: one that was hung up has none.
  var isThere: Bool {
    var mode = termios()
    return tcgetattr(terminal, &mode) == 0
  }

  /// Returns false if the terminal does not take the change. Nothing that was typed is dropped.
  @discardableResult func change(to change: Change) -> Bool {
    var mode = termios()
    guard tcgetattr(terminal, &mode) == 0 else { return false }
    if before == nil { before = mode }
    switch change {
    case .raw: cfmakeraw(&mode)
    case .quiet: mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    }
    withUnsafeMutableBytes(of: &mode.c_cc) { characters in
      // Return the available bytes at once: the descriptor of a whole screen may block, and another reader may have
      // been faster.
      characters[Int(VMIN)] = change == .raw ? 0 : 1
      characters[Int(VTIME)] = 0
    }
    // Do not wait for the output to drain: it may never.
    return tcsetattr(terminal, TCSANOW, &mode) == 0
  }

  /// - Parameter droppingTyped: whether what was typed and not read is dropped, such as reports of the mouse, which
  ///   would end up in the shell.
  func restore(droppingTyped: Bool = false) {
    guard var mode = before.take() else { return }
    if droppingTyped { tcflush(terminal, TCIFLUSH) }
    tcsetattr(terminal, TCSANOW, &mode)
  }

  /// Stops this process, as Ctrl-Z does, until it is continued. The loop keeps the signal blocked; its default action
  /// stops the process here, and the kernel ignores it if there is no shell that could continue it.
  static func stopProcess() {
    var one = sigset_t()
    sigemptyset(&one)
    sigaddset(&one, SIGTSTP)
    raise(SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &one, nil)
    pthread_sigmask(SIG_BLOCK, &one, nil)
  }
}

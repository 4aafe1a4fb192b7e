// SPDX-License-Identifier: Apache-2.0
internal import CTerminal
internal import EventLoop
internal import Glibc

/// Owns the terminal's state, and restores every change exactly once, however the program ends.
final class Terminal {
  struct Size: Equatable {
    let columns, rows: Int
  }

  /// Alternate screen, no automatic line break (a character wider than expected must not push a line down), SGR mouse
  /// reports, and bracketed paste.
  private static let enterSequence =
    "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[0m\u{1B}[H\u{1B}[2J"
  /// Clears the screen for consoles without an alternate one.
  private static let leaveSequence =
    "\u{1B}[?2026l\u{1B}[0m\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[?25h\u{1B}[H\u{1B}[2J\u{1B}[?1049l"

  private let loop: EventLoop
  private let input: Int32
  private let sizeSource: Int32
  let output: PatientOutput
  private var watch: EventLoop.DescriptorWatch?
  /// The terminal's original mode; nil if restored.
  private var before: termios?

  var whenRead: ([UInt8]) -> Void = { _ in }
  /// Called once when the terminal is gone.
  var whenLost: () -> Void = {}

  init(input: Int32, output: Int32, on loop: EventLoop) {
    self.loop = loop
    self.input = input
    self.output = PatientOutput(to: output, on: loop)
    sizeSource = output
  }

  deinit { leave() }

  /// 80 by 24 if the terminal does not know its size, such as a serial line.
  var size: Size {
    var size = winsize()
    guard terminal_window_size(sizeSource, &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return Size(columns: 80, rows: 24)
    }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  func start() throws(EventLoopError) {
    enter()
    output.whenBroken = { [weak self] in self?.lose() }
    try output.start()
    watch = try loop.watch(input, for: .readable) { [weak self] _ in self?.read() }
  }

  func stop() {
    if loop.isOnLoop { watch?.cancel() }
    watch = nil
    leave()
    output.stop()
  }

  /// Takes over the terminal; also after another program used it (`fg`, SIGCONT).
  func enter() {
    var mode = termios()
    if tcgetattr(input, &mode) == 0 {
      if before == nil { before = mode }
      cfmakeraw(&mode)
      // Return the available bytes at once: another reader may have been faster, and waiting would block.
      withUnsafeMutableBytes(of: &mode.c_cc) { characters in
        characters[Int(VMIN)] = 0
        characters[Int(VTIME)] = 0
      }
      // Do not wait for the output to drain: it may never.
      tcsetattr(input, TCSANOW, &mode)
    }
    output.write(Array(Self.enterSequence.utf8))
  }

  /// Restores the terminal. Half a frame may be pending: the leading escape ends any unfinished sequence.
  func leave() {
    guard var mode = before else { return }
    before = nil
    output.discard()
    output.write(Array(Self.leaveSequence.utf8))
    output.finish(within: .milliseconds(300))
    // Drop remaining mouse reports, which would end up in the shell.
    tcflush(input, TCIFLUSH)
    tcsetattr(input, TCSANOW, &mode)
  }

  /// Handles Ctrl-Z: restores the terminal, stops, and continues later.
  func suspend() {
    leave()
    var one = sigset_t()
    sigemptyset(&one)
    sigaddset(&one, SIGTSTP)
    // The loop keeps the signal blocked. Its default action stops the process here; the kernel ignores it if there is
    // no shell that could continue it.
    raise(SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &one, nil)
    pthread_sigmask(SIG_BLOCK, &one, nil)
    enter()
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(input, &buffer, buffer.count)
    if count > 0 {
      whenRead(Array(buffer.prefix(count)))
    } else if count == 0 ? isGone : errno != EINTR && errno != EAGAIN {
      lose()
    }
  }

  /// An empty read alone is no end: only a hung-up terminal also fails to report its mode.
  private var isGone: Bool {
    var mode = termios()
    return tcgetattr(input, &mode) != 0
  }

  private func lose() {
    guard watch != nil else { return }
    stop()
    whenLost()
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import CTerminal
internal import EventLoop
internal import Glibc

/// The one owner of the terminal's state: whatever it changes it changes back, once, however the program leaves.
final class Terminal {
  struct Size: Equatable {
    let columns, rows: Int
  }

  /// The alternate screen, no automatic line break (a character that is wider than we think must not push a line
  /// down), clicks and the wheel as SGR reports, pasting told from typing.
  private static let enterSequence =
    "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[0m\u{1B}[H\u{1B}[2J"
  /// The screen is cleared for the consoles that have no alternate one.
  private static let leaveSequence =
    "\u{1B}[?2026l\u{1B}[0m\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[?25h\u{1B}[H\u{1B}[2J\u{1B}[?1049l"

  private let loop: EventLoop
  private let input: Int32
  private let sizeSource: Int32
  let output: PatientOutput
  private var watch: EventLoop.DescriptorWatch?
  /// How the terminal was before us; nil: it is so now.
  private var before: termios?

  var whenRead: ([UInt8]) -> Void = { _ in }
  /// The terminal has gone away; told once.
  var whenLost: () -> Void = {}

  init(input: Int32, output: Int32, on loop: EventLoop) {
    self.loop = loop
    self.input = input
    self.output = PatientOutput(to: output, on: loop)
    sizeSource = output
  }

  deinit { leave() }

  /// 80 by 24 where the terminal does not know, as serial lines do not.
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

  /// Makes the terminal ours; also after somebody else had it (`fg`, SIGCONT).
  func enter() {
    var mode = termios()
    if tcgetattr(input, &mode) == 0 {
      if before == nil { before = mode }
      cfmakeraw(&mode)
      // Reading takes what is there: another reader may have been faster, and we must not wait for the next byte.
      withUnsafeMutableBytes(of: &mode.c_cc) { characters in
        characters[Int(VMIN)] = 0
        characters[Int(VTIME)] = 0
      }
      // Not "after the output has drained": it may never drain.
      tcsetattr(input, TCSANOW, &mode)
    }
    output.write(Array(Self.enterSequence.utf8))
  }

  /// Gives it back as it was. Half a frame may still wait: an escape ends whatever it was in the middle of.
  func leave() {
    guard var mode = before else { return }
    before = nil
    output.discard()
    output.write(Array(Self.leaveSequence.utf8))
    output.finish(within: .milliseconds(300))
    // What is left of mouse reports would land in the shell.
    tcflush(input, TCIFLUSH)
    tcsetattr(input, TCSANOW, &mode)
  }

  /// As the shell expects it of Ctrl-Z: gives the terminal back, stops, and goes on where it was.
  func suspend() {
    leave()
    var one = sigset_t()
    sigemptyset(&one)
    sigaddset(&one, SIGTSTP)
    // The loop keeps the signal blocked. Its default action stops us here; where nobody could wake us (no shell above),
    // the kernel ignores it.
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

  /// Nothing to read is no end yet: a terminal that was hung up does not tell its mode any more.
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

// SPDX-License-Identifier: Apache-2.0
internal import CTerminal
internal import EventLoop
internal import Glibc

/// Owns the terminal's state, and restores every change exactly once, however the program ends.
final class Terminal {
  struct Size: Equatable {
    let columns, rows: Int
    /// Nil if the terminal does not know its size in pixels.
    var cell: CellSize?
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
  private let mode: TerminalMode

  /// Sent before everything else when the terminal is restored.
  var farewell: [UInt8] = []
  var whenRead: ([UInt8]) -> Void = { _ in }
  /// Called once when the terminal is gone.
  var whenLost: () -> Void = {}

  init(input: Int32, output: Int32, on loop: EventLoop) {
    self.loop = loop
    self.input = input
    self.output = PatientOutput(to: output, on: loop)
    mode = TerminalMode(of: input)
    sizeSource = output
  }

  deinit { leave() }

  /// 80 by 24 if the terminal does not know its size, such as a serial line.
  var size: Size {
    var size = winsize()
    guard terminal_window_size(sizeSource, &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return Size(columns: 80, rows: 24)
    }
    return Size(
      columns: Int(size.ws_col), rows: Int(size.ws_row),
      cell: CellSize(width: Int(size.ws_xpixel / size.ws_col), height: Int(size.ws_ypixel / size.ws_row)))
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
    mode.change(to: .raw)
    output.write(Array(Self.enterSequence.utf8))
  }

  /// Restores the terminal. Half a frame may be pending: the leading escape ends any unfinished sequence.
  func leave() {
    guard mode.isChanged else { return }
    output.discard()
    output.write(farewell + Array(Self.leaveSequence.utf8))
    output.finish(within: .milliseconds(300))
    mode.restore(droppingTyped: true)
  }

  /// Handles Ctrl-Z: restores the terminal, stops, and continues later.
  func suspend() {
    leave()
    TerminalMode.stopProcess()
    enter()
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(input, &buffer, buffer.count)
    if count > 0 {
      whenRead(Array(buffer.prefix(count)))
      // An empty read alone is no end: only a hung-up terminal also has no mode.
    } else if count == 0 ? !mode.isThere : errno != EINTR && errno != EAGAIN {
      lose()
    }
  }

  private func lose() {
    guard watch != nil else { return }
    stop()
    whenLost()
  }
}

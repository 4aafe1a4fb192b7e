// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc

/// Shows popups as lines of text, controlled by lines of commands: for pipes, logs, braille lines and simple terminals.
/// Lines that begin with `#` describe a popup, `?` marks a failed command, `!` a message of the server; indented lines
/// belong to the popup above.
final class PlainPopups: PopupScreen {
  /// With more pending bytes than this, events are dropped, and their number is printed when the reader continues.
  static let mostWaiting = 1 << 20

  private let loop: EventLoop
  private let theme: PopupTheme
  private let input: Int32
  private let output: PatientOutput
  private var watch: EventLoop.DescriptorWatch?
  private var expiry: EventLoop.Deadline?
  private var retry: EventLoop.Deadline?
  private var board = PopupBoard()
  private var line: [UInt8] = []
  private var leftOut = 0
  private var isRunning = false
  private var tell: (PopupEvent) -> Void = { _ in }
  private var end: (PopupScreenEnd) -> Void = { _ in }

  private var now: Duration { EventLoop.Clock.monotonic.now }

  init(theme: PopupTheme, input: Int32 = 0, output: Int32 = 1, on loop: EventLoop) {
    self.loop = loop
    self.theme = theme
    self.input = input
    self.output = PatientOutput(to: output, on: loop)
  }

  // MARK: PopupScreen

  func start(
    tell: @escaping (PopupEvent) -> Void, end: @escaping (PopupScreenEnd) -> Void
  ) throws(EventLoopError) {
    self.tell = tell
    self.end = end
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      try loop.onSignal(signal) { [weak self] in self?.finish(.signal(signal)) }
    }
    // When in the background, reading the terminal fails instead of stopping the process.
    signal(SIGTTIN, SIG_IGN)
    isRunning = true
    output.whenBroken = { [weak self] in self?.finish(.lost) }
    output.whenDrained = { [weak self] in self?.tellLeftOut() }
    try output.start()
    listen()
  }

  var drawsPictures: Bool { false }

  func show(_ popup: Popup, _ picture: PopupImage?) {
    let events = board.show(popup, at: now)
    print(PlainText.lines(for: popup))
    report(events)
  }

  @discardableResult func close(_ id: UInt32) -> Bool {
    let events = board.close(id, at: now)
    report(events)
    return !events.isEmpty
  }

  func note(_ text: String) { print(["! " + PrintableText.line(text, atMost: 500)]) }

  func stop() {
    guard isRunning else { return }
    isRunning = false
    // When the loop has ended, its deadlines and watches have ended too.
    if loop.isOnLoop {
      for deadline in [expiry, retry] { deadline?.cancel() }
      watch?.cancel()
    }
    watch = nil
    output.finish(within: .milliseconds(300))
    output.stop()
  }

  // MARK: Commands

  /// Keeps showing popups if the input is closed or missing.
  private func listen() {
    watch = try? loop.watch(input, for: .readable) { [weak self] _ in self?.read() }
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(input, &buffer, buffer.count)
    if count > 0 {
      take(buffer.prefix(count))
    } else if count == 0 {
      watch?.cancel()
      watch = nil
      if !line.isEmpty { take([0x0A]) }
    } else if errno != EINTR && errno != EAGAIN {
      // EIO: another job has the terminal. Retry later, because the watch is level-triggered and would fire at once.
      let isElsewhere = errno == EIO
      watch?.cancel()
      watch = nil
      guard isElsewhere else { return }
      retry = loop.schedule(after: .seconds(1)) { [weak self] in self?.listen() }
    }
  }

  private func take(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes where isRunning {
      if byte == 0x0A {
        let text = String(decoding: line, as: UTF8.self)
        line = []
        obey(text)
      } else if line.count < 64 * 1024 {
        line.append(byte)
      }
    }
  }

  private func obey(_ text: String) {
    guard let command = PlainCommand(text) else {
      let shown = PrintableText.line(text, atMost: 60)
      return refuse("unknown command '\(shown)'; 'help' lists the commands")
    }
    switch command.verb {
    case .quit: return finish(.quit)
    case .help: return print(PlainCommand.help.map { "! " + $0 })
    case .open, .dismiss, .press, .reply: break
    }
    guard let popup = command.id.map({ board[$0] }) ?? board.newest else {
      return refuse(command.id.map { "#\($0) is not open" } ?? "no notification is open")
    }
    let id = popup.id
    switch command.verb {
    case .open: report(board.open(id))
    case .dismiss: report(board.dismiss(id))
    case .press(let number):
      guard number <= popup.buttons.count else {
        let count = popup.buttons.count
        return refuse("#\(id) has no button \(number): it has \(count == 0 ? "none" : "\(count)")")
      }
      report(board.invoke(popup.buttons[number - 1], of: id))
    case .reply(let text):
      guard popup.reply != nil else { return refuse("#\(id) does not ask for a reply") }
      let events = board.reply(PrintableText.line(text, atMost: ReplyDraft.longest), to: id, at: now)
      report(events)
    case .help, .quit: break
    }
  }

  private func refuse(_ why: String) { print(["? " + why]) }

  // MARK: Output

  private func report(_ events: [PopupEvent]) {
    arm()
    for event in events {
      print([PlainText.line(for: event)])
      tell(event)
    }
  }

  private func print(_ lines: [String]) {
    guard output.waiting < Self.mostWaiting else {
      leftOut += 1
      return
    }
    output.write(Array(lines.map { theme.shown($0) + "\n" }.joined().utf8))
  }

  private func tellLeftOut() {
    guard leftOut > 0 else { return }
    let count = leftOut
    leftOut = 0
    note("\(count) events are missing here: the reader was too slow")
  }

  private func arm() {
    expiry?.cancel()
    expiry = nil
    guard isRunning, let date = board.nextDeadline else { return }
    expiry = loop.schedule(at: date, on: .monotonic) { [weak self] in
      guard let self else { return }
      self.report(self.board.expire(at: self.now))
    }
  }

  private func finish(_ reason: PopupScreenEnd) {
    guard isRunning else { return }
    stop()
    end(reason)
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc

/// Shows popups as boxes on the whole terminal, controlled by keys and mouse.
final class FullScreenPopups: PopupScreen {
  private let loop: EventLoop
  private let theme: PopupTheme
  private let terminal: Terminal
  private var painter: TerminalPainter
  private var board = PopupBoard()
  private var input = TerminalInput()
  private var pictures = PopupPictures()
  private var graphics: GraphicsSearch
  private var noteText = ""

  /// The current frame, and the one before the last change.
  private var frame: PopupFrame?
  private var previous: (frame: PopupFrame, until: Duration)?

  private var expiry: EventLoop.Deadline?
  private var silence: EventLoop.Deadline?
  private var drawing: EventLoop.Deadline?
  private var answering: EventLoop.Deadline?
  private var isRunning = false
  private var tell: (PopupEvent) -> Void = { _ in }
  private var end: (PopupScreenEnd) -> Void = { _ in }

  private var now: Duration { EventLoop.Clock.monotonic.now }

  /// - Parameter graphics: whether pictures are drawn; an open search asks the terminal.
  init(
    theme: PopupTheme, graphics: GraphicsSearch = GraphicsSearch(.none), input: Int32 = 0, output: Int32 = 1,
    on loop: EventLoop
  ) {
    self.loop = loop
    self.theme = theme
    self.graphics = graphics
    terminal = Terminal(input: input, output: output, on: loop)
    painter = TerminalPainter(theme: theme)
  }

  // MARK: PopupScreen

  func start(
    tell: @escaping (PopupEvent) -> Void, end: @escaping (PopupScreenEnd) -> Void
  ) throws(EventLoopError) {
    self.tell = tell
    self.end = end
    terminal.whenRead = { [weak self] bytes in self?.read(bytes) }
    terminal.whenLost = { [weak self] in self?.finish(.lost) }
    terminal.output.whenDrained = { [weak self] in self?.draw() }
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      try loop.onSignal(signal) { [weak self] in self?.finish(.signal(signal)) }
    }
    try loop.onSignal(SIGWINCH) { [weak self] in self?.changed() }
    try loop.onSignal(SIGTSTP) { [weak self] in self?.suspend() }
    try loop.onSignal(SIGCONT) { [weak self] in self?.takeOver() }
    isRunning = true
    try terminal.start()
    ask()
    draw()
  }

  var drawsPictures: Bool {
    if case .none = graphics.result { false } else { true }
  }

  func show(_ popup: Popup, _ picture: PopupImage?) {
    pictures.set(drawsPictures ? picture : nil, of: popup.id)
    report(board.show(popup, at: now))
  }

  @discardableResult func close(_ id: UInt32) -> Bool {
    let events = board.close(id, at: now)
    report(events)
    return !events.isEmpty
  }

  func note(_ text: String) {
    noteText = PrintableText.line(text, atMost: 500)
    changed()
  }

  func stop() {
    isRunning = false
    // When the loop has ended, its deadlines have ended too.
    if loop.isOnLoop {
      for deadline in [expiry, silence, drawing, answering] { deadline?.cancel() }
    }
    (expiry, silence, drawing, answering) = (nil, nil, nil, nil)
    terminal.stop()
  }

  // MARK: Input

  private func read(_ bytes: [UInt8]) {
    handle(input.feed(bytes))
    silence?.cancel()
    silence = nil
    guard isRunning, let limit = input.silenceLimit else { return }
    silence = loop.schedule(after: limit) { [weak self] in
      guard let self else { return }
      self.silence = nil
      self.handle(self.input.silence())
    }
  }

  private func handle(_ keys: [TerminalKey]) {
    for key in keys where isRunning {
      if case .report(let report) = key {
        if answering != nil { take(report) }
      } else if key == .control("z") {
        suspend()
      } else if case .click(let column, let row) = key {
        click(PopupFrame.Position(column: column, row: row))
      } else {
        switch board.press(key, at: now) {
        case .quit: finish(.quit)
        case .redraw:
          painter.forget()
          changed()
        case .events(let events): report(events)
        }
      }
    }
  }

  private func click(_ position: PopupFrame.Position) {
    guard let target = frame?.target(at: position) else { return }
    // Ignore the click if another element has just moved under the pointer.
    if let previous, now < previous.until, let old = previous.frame.target(at: position), old != target { return }
    report(board.click(target.element, of: target.id, at: now))
  }

  // MARK: Pictures

  /// Asks the terminal whether it draws pictures; answers that come later than the limit do not count.
  private func ask() {
    guard let question = graphics.question else { return }
    terminal.output.write(Array(question.utf8))
    answering = loop.schedule(after: GraphicsSearch.limit) { [weak self] in
      guard let self else { return }
      self.answering = nil
      self.graphics.end()
      self.applyGraphics()
    }
  }

  private func take(_ report: TerminalReport) {
    graphics.take(report)
    guard case .attributes = report else { return }
    // The last answer.
    answering?.cancel()
    answering = nil
    graphics.end()
    applyGraphics()
  }

  private func applyGraphics() {
    pictures.colours = graphics.colours
    if case .found(let way) = graphics.result {
      pictures.way = way
      if way == .kitty { terminal.farewell = KittyGraphics.clear }
    } else if !drawsPictures {
      pictures.removeAll()
    }
    changed()
  }

  // MARK: Drawing

  private func report(_ events: [PopupEvent]) {
    changed()
    for event in events {
      if case .closed(let id, _) = event { pictures.remove(id) }
      tell(event)
    }
  }

  /// Resets the expiry timer, and draws soon: many changes at once make one frame.
  private func changed() {
    guard isRunning else { return }
    expiry?.cancel()
    expiry = board.nextDeadline.map { date in
      loop.schedule(at: date, on: .monotonic) { [weak self] in
        guard let self else { return }
        self.expiry = nil
        self.report(self.board.expire(at: self.now))
      }
    }
    if drawing == nil {
      drawing = loop.schedule(after: .milliseconds(5)) { [weak self] in
        self?.drawing = nil
        self?.draw()
      }
    }
  }

  private func draw() {
    // The terminal has not taken the last frame yet; the newest one follows when it has.
    guard isRunning, terminal.output.waiting == 0 else { return }
    let size = terminal.size
    pictures.cell = size.cell ?? graphics.cell ?? .usual
    let next = PopupFrame(
      board, columns: size.columns, rows: size.rows, theme: theme, note: noteText, images: pictures.cells(of:))
    if let frame, frame != next { previous = (frame, now + PopupBoard.reactionTime) }
    frame = next
    terminal.output.write(painter.bytes(for: next, columns: size.columns, pictures: &pictures))
  }

  private func suspend() {
    guard isRunning else { return }
    terminal.suspend()
    painter.forget()
    changed()
  }

  private func takeOver() {
    guard isRunning else { return }
    terminal.enter()
    painter.forget()
    changed()
  }

  private func finish(_ reason: PopupScreenEnd) {
    guard isRunning else { return }
    stop()
    end(reason)
  }
}

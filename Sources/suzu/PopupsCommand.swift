// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Freedesktop
internal import Glibc
internal import NotificationModel

extension Verb {
  static let popups = Verb(
    name: "popups", synopsis: "[--plain] [--images HOW]", summary: "show notifications in this terminal",
    flags: [
      Flag("plain", nil, "print lines of text instead of boxes, for screen readers"),
      Flag(
        "images", "HOW", completing: .words(GraphicsSearch.Choice.allCases.map(\.rawValue)),
        "draw pictures: kitty or sixel, none, or auto to ask the terminal (default: auto)"),
    ],
    notes: [
      "PNG files and the pictures that programs send are drawn where the terminal can: with the graphics protocol of kitty,",
      "or with sixel. In an SSH login, 'suzu doctor' says what is used.",
    ],
    examples: [
      "suzu popups                       (draws popups; press a number or click)",
      "suzu popups --plain               (lines of text, for screen readers; type help)",
      "suzu popups --images none         (draws no pictures)",
      "suzu popups </dev/null            (lines of text, for logs and scripts)",
    ]
  ) { arguments, loop in
    try arguments.refuseWords()
    let choice = try PopupsCommand.choice(arguments)
    let isPlain = arguments.has("plain")
    // Without boxes there are no pictures, and the terminal, or tmux, is not asked.
    let graphics =
      TerminalTraits.current.drawsBoxes(isPlain: isPlain)
      ? await GraphicsSearch.begin(choice, on: loop) : GraphicsSearch(.none)
    return try await PopupsCommand(on: loop, isPlain: isPlain, graphics: graphics).run()
  }
}

/// `suzu popups`: connects the server side of the bus to a terminal.
actor PopupsCommand: NotificationDisplay {
  private let loop: EventLoop
  private let screen: any PopupScreen
  private var isBusGone = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private static let serverName: BusName = "org.freedesktop.Notifications"

  init(on loop: EventLoop, isPlain: Bool, graphics: GraphicsSearch) {
    self.loop = loop
    screen = TerminalTraits.current.popupScreen(on: loop, isPlain: isPlain, graphics: graphics)
  }

  static func choice(_ arguments: Arguments) throws(CommandError) -> GraphicsSearch.Choice {
    guard let word = arguments.value("images") else { return .auto }
    if let choice = GraphicsSearch.Choice(rawValue: word) { return choice }
    throw .data(
      "'--images \(PrintableText.line(word, atMost: 60))' must be \(GraphicsSearch.Choice.form)"
        + suggestion(for: word, among: GraphicsSearch.Choice.allCases.map(\.rawValue)))
  }

  func run() async throws -> Int32 {
    let connection = try await Self.connect(on: loop)
    // Check before taking over the terminal: only one server can run.
    if let owner = try await connection.owner(of: Self.serverName) { throw await Self.taken(by: owner, on: connection) }
    let server = ExportedNotificationServer(
      on: connection,
      information: ServerInformation(name: "suzu popups", vendor: "Suzu", version: ProductVersion.text),
      capabilities: [.actions, .body, .inlineReply, .persistence], display: self)
    let (events, continuation) = AsyncStream<PopupEvent>.makeStream()
    try screen.start {
      continuation.yield($0)
    } end: { _ in
      continuation.finish()
    }
    defer { screen.stop() }
    guard try await server.start() else {
      throw CommandError.unavailable("another notification server has just started on this bus")
    }
    let watching = Task(executorPreference: loop) {
      for await event in await connection.events() where event == .disconnected { break }
      await self.busWentAway(continuation)
    }
    // A single reader, so that signals are sent in order.
    for await event in events { await tell(event, by: server) }
    watching.cancel()
    screen.stop()
    await connection.close()
    if isBusGone { throw CommandError.unavailable("lost the connection to the session bus") }
    return EX_OK
  }

  private func busWentAway(_ events: AsyncStream<PopupEvent>.Continuation) {
    if !Task.isCancelled { isBusGone = true }
    events.finish()
  }

  private func tell(_ event: PopupEvent, by server: ExportedNotificationServer) async {
    switch event {
    case .invoked(let number, let key): await server.invoked(number, key: key)
    case .replied(let number, let text): await server.replied(number, text: text)
    case .closed(let number, .expired): await server.closed(number, .expired)
    case .closed(let number, .dismissed): await server.closed(number, .dismissed)
    case .closed(_, .withdrawn): break  // the server requested this and emits the signal itself
    }
  }

  // MARK: NotificationDisplay

  func show(_ notification: ServerNotification, as number: UInt32) {
    screen.show(Popup(notification, as: number), screen.drawsPictures ? PopupImage(notification) : nil)
  }

  func close(_ number: UInt32) {
    screen.close(number)
  }

  // MARK: Connection

  private static func connect(on loop: EventLoop) async throws -> Connection {
    do {
      return try await Connection.open(try BusAddress.session(), on: loop)
    } catch {
      throw CommandError.unavailable("\(error)")
    }
  }

  private static func taken(by owner: BusName, on connection: Connection) async -> CommandError {
    let process = (try? await connection.credentials(of: owner))?.processID.map { " (process \($0))" } ?? ""
    return .unavailable(
      "another notification server is running\(process); see 'suzu doctor'; stop it first, "
        + "or use a separate bus: dbus-run-session suzu popups")
  }
}

extension Popup {
  /// Converts a notification from the bus.
  init(_ notification: ServerNotification, as number: UInt32) {
    let urgency: Urgency =
      switch notification.urgency {
      case .low: .low
      case .normal: .normal
      case .critical: .critical
      }
    let expiry: Expiry =
      switch notification.expiry {
      case .never: .never
      case .after(let time): .after(time)
      case .serverDecides: .serverChoice
      }
    self.init(
      id: number, appName: notification.appName, summary: notification.summary, body: notification.body,
      actions: notification.actions.map { ($0.key, $0.label) },
      replyPlaceholder: notification.hints["x-kde-reply-placeholder-text"]?.string ?? "",
      replySubmit: notification.hints["x-kde-reply-submit-button-text"]?.string ?? "",
      urgency: urgency, progress: notification.progress, isResident: notification.isResident, expiry: expiry)
  }
}

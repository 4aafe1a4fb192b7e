// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import EventLoop
internal import Freedesktop
internal import Scheduling

/// Makes the center's objects and wires them. They live on the loop, and wait only for events and the disk. Other
/// threads and tasks reach them through this actor.
///
/// Values flow one way: a call comes in through `Bus/` to the ``RequestSide``; what is due goes to the ``ScreenSide``;
/// events of the server come in through ``ServerEvents`` and go to the ``ClickSide``. A call in the other direction is
/// a closure, set here or in a side, with the reason beside it. `Scripts/center-calls` checks this.
actor CenterService {
  let connection: Connection
  let listeners: Listeners
  let around: Surroundings
  let callers: Callers
  let screenSide: ScreenSide
  let clickSide: ClickSide
  let requestSide: RequestSide
  private let server: NotificationServerClient
  private let serverEvents: ServerEvents
  private let resumption: Resumption

  nonisolated var unownedExecutor: UnownedSerialExecutor { connection.loop.asUnownedSerialExecutor() }

  /// - Parameter resources: must have been made on the connection's loop.
  init(
    on connection: Connection, resources: CenterResources, timeouts: Timeouts = .usual, burst: Int = Burst.usual,
    desktop: Desktop = Desktop()
  ) {
    let loop = connection.loop
    let listeners = Listeners(on: connection)
    let bus = BusCalls(on: connection, timeouts: timeouts)
    let around = Surroundings(
      on: loop, resources: resources, timeouts: timeouts, desktop: desktop, audience: listeners, bus: bus)
    let server = NotificationServerClient(on: connection, limits: timeouts.server)
    let callers = Callers(on: loop, identification: desktop.identify, present: bus.callers)
    let screenSide = ScreenSide(around, server: server, burst: Burst(limit: burst), presence: resources.presence)
    let clickSide = ClickSide(around, screenSide)
    let serverEvents = ServerEvents(
      on: loop, link: screenSide.link, screen: screenSide.screen, poster: screenSide.poster, ends: screenSide.ends,
      questions: screenSide.questions, choosing: clickSide.choosing, past: screenSide.past,
      restoration: screenSide.restoration)
    // Events with a number that was not known yet are handled once the notification is on the screen.
    screenSide.poster.onShown = { [weak serverEvents] number, asksAtOnce in
      serverEvents?.shown(number, asksAtOnce: asksAtOnce)
    }
    self.connection = connection
    self.listeners = listeners
    self.around = around
    self.server = server
    self.callers = callers
    self.screenSide = screenSide
    self.clickSide = clickSide
    self.serverEvents = serverEvents
    let requestSide = RequestSide(around, screenSide, clickSide)
    // Only the bus layer learns that a caller has left.
    listeners.whenGone = {
      [
        weak callers, weak inFront = screenSide.inFront, weak handlers = clickSide.handlers,
        weak askers = requestSide.askers, weak outbox = screenSide.deliveries.outbox
      ] in
      callers?.forget($0)
      inFront?.forget($0)
      handlers?.forget($0)
      askers?.left($0)
      outbox?.forget($0)
    }
    // What an asker of the earlier run left on the screen can be removed once it is known.
    serverEvents.whenRestored = { [weak askers = requestSide.askers] in askers?.screenIsRestored() }
    self.requestSide = requestSide
    resumption = Resumption(
      agenda: around.agenda, apps: around.apps, badges: around.badges, ends: screenSide.ends,
      past: screenSide.past, deliveries: screenSide.deliveries, responses: clickSide.unfinished)
  }

  // MARK: Running

  /// Exports the interface and listens to the notification server, until the connection is closed.
  func run(whenReady: @Sendable () async throws -> Void) async throws {
    try await connection.export(CenterInterface.table(of: self), at: CenterBus.path)
    try await connection.export(RemoteInterface.table(of: self), at: RemoteBus.path)
    let life = await connection.events()
    try await server.follow { [weak self] event in self?.assumeIsolated { $0.serverEvents.receive(event) } }
    around.categories.begin(on: connection.loop)
    // Before the first call, so that callers find the state that the last run left.
    try resumption.begin()
    requestSide.calendars.begin()
    requestSide.askers.begin()
    try await whenReady()
    screenSide.trim.trimAfterStart()
    serverEvents.begin()
    for await _ in life {}
  }

  /// Stops posting, and returns when the server has answered all open calls.
  func finishPosting() async { await screenSide.poster.finish() }

  /// Writes what is still in memory, and closes the store.
  func end() {
    around.categories.end()
    requestSide.calendars.end()
    screenSide.deliveries.held.end()
    clickSide.choosing.end()
    clickSide.handlers.end()
    around.agenda.end()
  }

  /// The machine woke up, or its clock or zone changed.
  func lookAtClocks() {
    around.agenda.zones.check()
    around.agenda.time.whenSet()
    screenSide.deliveries.held.recheck()
  }

  /// Forgets all callers: another bus gives the same names to other programs.
  func forgetCallers() {
    callers.forgetAll()
    requestSide.askers.forgetBus()
    screenSide.deliveries.outbox.forgetAll()
  }

  // MARK: Properties

  /// How many requests are not on the screen yet; a sandboxed caller sees only those of its app.
  func pendingCount(for rights: Rights) -> Int {
    guard rights != .none else { return 0 }
    let app = rights.ownApp
    return screenSide.screen.state.pendingCount(of: app) + screenSide.permissions.waitingCount(of: app)
      + screenSide.inFront.keys(of: app).count + screenSide.deliveries.held.keys(of: app).count
      + ((try? around.agenda.store.pendingCount(app: app)) ?? 0)
  }

  /// The name and version of the notification server; empty if there is none.
  var serverName: String {
    screenSide.link.state.map { "\($0.information.name) \($0.information.version)" } ?? ""
  }

  var capabilities: [String] { screenSide.link.state?.capabilities.map(\.rawValue).sorted() ?? [] }

  var health: CenterHealth {
    var health = CenterHealth(of: around.agenda, around.categories)
    health.serverFailure = screenSide.link.failure
    health.dialogFailure = clickSide.dialogs.failure
    health.calendarProblems = requestSide.calendars.problems
    health.pushProblems = requestSide.pushes.problems
    health.outboxProblems = screenSide.deliveries.outbox.problems
    return health
  }
}

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
  private let sides: CenterSides

  nonisolated var unownedExecutor: UnownedSerialExecutor { connection.loop.asUnownedSerialExecutor() }

  /// - Parameter resources: must have been made on the connection's loop.
  init(
    on connection: Connection, resources: CenterResources, timeouts: Timeouts = .usual, burst: Int = Burst.usual,
    desktop: Desktop = Desktop()
  ) {
    let loop = connection.loop
    let listeners = Listeners(on: connection)
    let bus = BusCalls(on: connection, timeouts: timeouts)
    let server = NotificationServerClient(on: connection, limits: timeouts.server)
    let callers = Callers(on: loop, identification: desktop.identify, present: bus.callers)
    let sides = CenterSides(
      on: loop, resources: resources, timeouts: timeouts, burst: burst, desktop: desktop, audience: listeners, bus: bus,
      server: server)
    self.connection = connection
    self.listeners = listeners
    self.server = server
    self.callers = callers
    self.sides = sides
    around = sides.around
    screenSide = sides.screenSide
    clickSide = sides.clickSide
    requestSide = sides.requestSide
    around.apps.whenChanged = { [weak listeners] in listeners?.tell(.apps) }
    // Only the bus layer learns that a caller has left.
    listeners.whenGone = {
      [
        weak callers, weak inFront = sides.screenSide.inFront, weak handlers = sides.clickSide.handlers,
        weak askers = sides.requestSide.askers, weak outbox = sides.screenSide.deliveries.outbox
      ] in
      callers?.forget($0)
      inFront?.forget($0)
      handlers?.forget($0)
      askers?.left($0)
      outbox?.forget($0)
    }
  }

  // MARK: Running

  /// Listens to the notification server until the connection is closed. The interfaces must have been exported.
  func run(whenReady: @Sendable () async throws -> Void) async throws {
    let life = await connection.events()
    try await server.follow { [weak self] event in self?.assumeIsolated { $0.sides.serverEvents.receive(event) } }
    try sides.resume()
    try await whenReady()
    screenSide.trim.trimAfterStart()
    sides.serverEvents.begin()
    for await _ in life {}
  }

  /// Stops posting, and returns when the server has answered all open calls.
  func finishPosting() async { await screenSide.poster.finish() }

  /// Writes what is still in memory, and closes the store.
  func end() { sides.end() }

  /// The machine woke up, or its clock or zone changed.
  func lookAtClocks() { sides.lookAtClocks() }

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

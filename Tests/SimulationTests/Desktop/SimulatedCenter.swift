// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import EventLoop
import Freedesktop
import NotificationModel
import SuzuTesting

@testable import Scheduling
@testable import suzud

/// One run of the real center, from its start to its end: all its objects but those that speak to the bus.
///
/// After ``isDead`` is set it may go on until the loop is idle, but nothing of that reaches the world: the disk has
/// been copied, and the server and the user hear nothing of it any more.
final class SimulatedCenter: @unchecked Sendable {
  // @unchecked: all of it is used on the thread of the simulation.
  private(set) var isDead = false
  /// The server that it knows of: the one that it could ask what it is, until it hears of its end.
  private(set) var server: ServerState?
  private let outside: any Outside
  let sides: CenterSides
  private let audience: SimulatedAudience
  private let loop: EventLoop
  /// The revisions of the entries that it posts, and has got no answer for.
  private var openPosts: Set<UInt64> = []

  /// What the center can reach.
  protocol Outside: AnyObject {
    /// - Parameters:
    ///   - server: the server that the center calls, which may have ended.
    ///   - id: that of the request.
    ///   - date: that of the request which has come, in milliseconds on the wall clock; nil if it is not known.
    /// - Returns: the number of the call.
    func post(
      _ notification: ServerNotification, to server: BusName, of id: String, date: Int64?, replacing number: UInt32,
      answer: @escaping (Result<UInt32, PostFailure>) -> Void
    ) -> Int
    /// The center does not wait for the answer of a call any more.
    func timedOut(_ call: Int)
    func close(_ number: PostedNumber)
    func tell(_ event: CenterEvent)
    /// The app that handles them gets a response.
    func handOver(_ response: Response)
    func launch(_ entry: String)
    var serverState: ServerState? { get }
    var busID: String { get }
    /// Asks the server something; calls `answered` when it answers, or has ended.
    func ask(_ server: BusName, _ answered: @escaping (_ isThere: Bool) -> Void)
    /// Whether the server answers no question.
    var isServerHung: Bool { get }
  }

  init(on machine: SimulatedMachine, folder: String, zones: any ZoneSource, outside: any Outside) throws {
    self.outside = outside
    loop = machine.loop
    let time = SimulatedTime(on: machine)
    let store = try Store(folder: folder) { time.wall }
    let reach = Reach(on: machine.loop)
    audience = SimulatedAudience(reach)
    sides = CenterSides(
      on: machine.loop, resources: CenterResources(store: store, time: time, zones: zones), timeouts: .usual, burst: 0,
      desktop: Desktop(
        identify: { _ in .all }, session: Desktop.Session(isLocked: { false }, unlocked: { _ in true }),
        apps: Desktop.Apps(launch: { entry, _ in
          reach.launch(entry)
          return .done
        })),
      audience: audience,
      bus: BusCalls(
        announceServer: {}, announceOutgoing: { _ in }, startCarrier: {}, id: { outside.busID },
        callers: { [] },
        willPresent: { _, _ in nil }, changePush: { _, _, _ in }),
      server: SimulatedCalls(reach))
    reach.center = self
    // As the process does: what the server says first waits until the center has read its store.
    // Of one that hangs, the center knows only that it is there.
    if !outside.isServerHung {
      sides.serverEvents.receive(outside.serverState.map { .appeared($0) } ?? .vanished)
      server = outside.serverState
    }
    try sides.resume()
    sides.serverEvents.begin()
  }

  /// The end of the process: the world hears no more of it.
  func die() { isDead = true }

  /// Frees what it has, after its end.
  func tearDown() { sides.end() }

  // MARK: Calls of programs

  /// Stores a request; `done` gets an error if it is refused. A center that ends first never answers.
  func notify(_ request: NotificationRequest, _ done: @escaping ((any Error)?) -> Void) {
    // No list of captures: with one, Swift 6.3 takes the closure for one that runs in the global pool.
    loop.start { await self.store(request, done) }
  }

  private func store(_ request: NotificationRequest, _ done: ((any Error)?) -> Void) async {
    var failure: (any Error)?
    do {
      let requests = [request]
      _ = try await sides.requestSide.requests.notify(.all, from: nil, isLong: false) { requests }
    } catch {
      failure = error
    }
    if !isDead { done(failure) }
  }

  /// Cancels a request; `done` gets an error if that fails.
  func cancel(_ app: String, _ id: String, _ done: @escaping ((any Error)?) -> Void) {
    loop.start { await self.withdraw(app, id, done) }
  }

  private func withdraw(_ app: String, _ id: String, _ done: ((any Error)?) -> Void) async {
    var failure: (any Error)?
    do { _ = try await sides.requestSide.withdrawals.cancel(app, [id], .all, from: nil) } catch { failure = error }
    if !isDead { done(failure) }
  }

  /// The app is there, and gets what waited for it.
  func attach(_ app: Caller) {
    audience.handler = app
    loop.start { await self.sides.clickSide.handlers.attached(app, to: RequestSpec.app) }
  }

  /// The app has left the bus.
  func appLeft(_ app: Caller) {
    if audience.handler == app { audience.handler = nil }
    sides.clickSide.handlers.forget(app)
  }

  /// The bus is gone, and with it all programs on it.
  func busIsGone() {
    receive(.vanished)
    sides.requestSide.askers.forgetBus()
    sides.screenSide.deliveries.outbox.forgetAll()
  }

  /// The app has carried out a response; `problem` tells why it could not.
  func complete(_ response: UInt64, _ problem: String?, by app: Caller) throws {
    try sides.clickSide.handlers.complete(response, problem, by: app)
  }

  /// The server's signal.
  func receive(_ event: ServerEvent) {
    switch event {
    case .appeared(let state): server = state
    case .vanished: server = nil
    default: break
    }
    if !isDead { sides.serverEvents.receive(event) }
  }

  /// Whether the newest request with this id is stored, and still waits.
  func waits(_ app: String, _ id: String) -> StoredRequest? {
    (try? sides.around.agenda.store.request(app: app, id: id)) ?? nil
  }

  /// For what it waits, in milliseconds on the wall clock; nil if for no date.
  func nextDate(_ app: String, _ id: String) -> Int64? {
    guard let stored = waits(app, id), let date = stored.wait?.date else { return nil }
    // After a change of the clock, dates move in slices, and the store knows how far that is.
    let moves = sides.around.agenda.scheduler.clock.moves.filter {
      date.isElapsed && $0.done < stored.revision && stored.revision <= $0.last
    }
    return moves.reduce(date.due.milliseconds) { $0 + $1.change }
  }

  /// The last dates of a request that have come, the latest first.
  func pastDates(_ app: String, _ id: String) -> [Timestamp] {
    let records = (try? sides.around.agenda.store.deliveries(app: app, id: id, limit: 60)) ?? []
    // A request that was replaced has a record with its date, which had not come then.
    let come = records.filter { $0.intended.milliseconds + 1_000 > $0.occurrence.due.milliseconds }
    return come.map(\.occurrence.due)
  }

  // MARK: Its posts

  /// Finds what is posted: a request and its postponed copy look the same.
  func beginPost(of notification: ServerNotification) -> Entry? {
    // What has been on the screen before comes back without a sound.
    let isReshown = notification.hints["suppress-sound"] != nil
    let flying = sides.screenSide.link.queue.flying
    // Posts begin in the order of their places in the queue.
    let entry = sides.screenSide.screen.state.entries.filter { key, entry in
      entry.isPosting && entry.isReshown == isReshown && entry.request.content.title == notification.summary
        && !openPosts.contains(entry.revision)
    }.min { flying[$0.key]?.ticket ?? 0 < flying[$1.key]?.ticket ?? 0 }?.value
    if let entry { openPosts.insert(entry.revision) }
    return entry
  }

  func endPost(of entry: Entry) { openPosts.remove(entry.revision) }

  // MARK: Its way out

  /// The way of its objects to the world.
  final class Reach: @unchecked Sendable {
    // @unchecked: as its center.
    weak var center: SimulatedCenter?
    let loop: EventLoop

    init(on loop: EventLoop) { self.loop = loop }

    var outside: (any Outside)? { center.flatMap { $0.isDead ? nil : $0.outside } }

    func launch(_ entry: String) { outside?.launch(entry) }
  }
}

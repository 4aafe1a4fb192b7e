// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Freedesktop
internal import NotificationModel

/// Decides what becomes of every request; lives on the loop, waits for nothing but events.
///
/// A request's way: ``notify(_:)`` takes it in, `Center+Posting` brings it to the screen, `Center+Answers` hears what
/// the user does with it.
actor Center {
  let connection: Connection
  let server: NotificationServer
  let watchers: Watchers
  let doer: Doer
  let patience: Patience
  var ledger = Ledger()
  var queue: PostQueue
  /// What the server is and can do; nil while there is none.
  var serverState: ServerState?
  /// Signals about numbers that we do not know *yet*: a server may tell of a click before it answers `Notify`.
  var earlyEvents: [PostedNumber: [ServerEvent]] = [:]
  var isActivating = false
  var hasSaidAbsent = false
  /// The end of a pause, or the next question whether a hung server is there again.
  var nextAttempt: EventLoop.Deadline?
  var isProbing = false
  private var lastResponse: UInt64

  nonisolated var unownedExecutor: UnownedSerialExecutor { connection.loop.asUnownedSerialExecutor() }
  nonisolated var loop: EventLoop { connection.loop }

  init(on connection: Connection, patience: Patience = .usual) {
    self.connection = connection
    self.patience = patience
    queue = PostQueue(patience: patience)
    server = NotificationServer(on: connection, limits: patience.server)
    watchers = Watchers(on: connection)
    doer = Doer(loop: connection.loop, limit: patience.handler, grace: patience.handlerGrace)
    // Above every number that an earlier center gave, which began at its own start and cannot have counted this fast.
    let (seconds, attoseconds) = EventLoop.Clock.wall.now.components
    lastResponse = UInt64(max(0, seconds)) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000)
  }

  /// Exports the interface and listens to the notification server, until the connection is closed.
  func run(whenReady: @Sendable () async throws -> Void) async throws {
    try await connection.export(CenterInterface.table(of: self), at: CenterInterface.path)
    let events = try await server.events()
    try await whenReady()
    for await event in events { receive(event) }
  }

  // MARK: Requests

  /// Takes a request in and returns its id; from here on it is ours to show.
  func notify(_ request: NotificationRequest) -> String {
    var request = request
    let id = request.id ?? Self.makeID()
    request.id = id
    let key = RequestKey(app: request.app, id: id)
    stopWaiting(key)
    if let delay = request.when.delay {
      let date = EventLoop.Clock.elapsed.now + delay
      let deadline = loop.schedule(at: date, on: .elapsed) { [weak self] in
        self?.assumeIsolated { $0.enqueue(key) }
      }
      _ = ledger.add(request, as: key, stage: .waiting(deadline))
    } else {
      _ = ledger.add(request, as: key, stage: .queued)
      enqueue(key)
    }
    return id
  }

  /// Takes back what has not been shown yet; returns how many.
  func cancel(_ app: String, _ ids: [String]) -> Int {
    let keys = matching(app, ids, where: \.isPending)
    for key in keys {
      stopWaiting(key)
      ledger.withdraw(key)
    }
    return keys.count
  }

  /// Takes from the screen; returns how many.
  func dismiss(_ app: String, _ ids: [String]) -> Int {
    let numbers = matching(app, ids) { $0.onScreen != nil && !$0.isPosting }.compactMap { ledger[$0]?.onScreen }
    for number in numbers { takeFromScreen(number) }
    return numbers.count
  }

  /// Acts as if the user had clicked.
  func respond(_ app: String, _ id: String, _ action: String, reply: String?) throws(RemoteError) {
    let key = RequestKey(app: app, id: id)
    guard let number = ledger[key]?.onScreen, let posting = ledger.postings[number] else {
      throw RemoteError(CenterInterface.notFound, "'\(app)' has no notification '\(id)' on the screen")
    }
    guard action == Action.defaultID || posting.request.actions.contains(where: { $0.id == action }) else {
      throw RemoteError(CenterInterface.notFound, "the notification '\(id)' has no action '\(action)'")
    }
    guard ledger.useUp(number) != nil else {
      throw RemoteError(CenterInterface.notFound, "the notification '\(id)' has been answered already")
    }
    answer(posting.request, key, action, reply: reply, token: posting.token)
    takeFromScreen(number)
  }

  // MARK: Properties

  var pendingCount: Int { ledger.pendingCount }

  /// The notification server, for people; empty where there is none.
  var serverName: String {
    serverState.map { "\($0.information.name) \($0.information.version)" } ?? ""
  }

  var capabilities: [String] { serverState?.capabilities.map(\.rawValue).sorted() ?? [] }

  // MARK: Parts

  private func matching(_ app: String, _ ids: [String], where fits: (Entry) -> Bool) -> [RequestKey] {
    ledger.entries.filter { key, entry in
      key.app == app && (ids.isEmpty || ids.contains(key.id)) && fits(entry)
    }.sorted { $0.value.revision < $1.value.revision }.map(\.key)
  }

  private func stopWaiting(_ key: RequestKey) {
    if case .waiting(let deadline) = ledger[key]?.stage { deadline.cancel() }
    queue.remove(key)
  }

  func nextResponse() -> UInt64 {
    lastResponse += 1
    return lastResponse
  }

  /// Short enough to be typed, and never the same twice in practice.
  private static func makeID() -> String {
    let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
    return String((0..<10).map { _ in letters.randomElement() ?? "a" })
  }
}

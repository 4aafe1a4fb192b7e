// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import Dispatch
import EventLoop
import NotificationModel
import Scheduling
import TestSupport
import Testing
import Zoneinfo

@testable import suzud

/// A center in this process, on a bus of its own, with a client that watches it.
struct CenterStand: Sendable {
  let loop: EventLoop
  let bus: PrivateBus
  let center: CenterService
  let centerName: BusName
  let client: Connection
  /// The events that a watcher receives, as lines: `Delivered a`, `Responded a yes`, `Closed a expired`, `Outcome
  /// done`.
  let events: Inbox<String>

  static func run(
    timeouts: Timeouts = .usual, burst: Int = 0, system: SystemZone = .current, services: [String: String] = [:],
    in folder: TemporaryFolder? = nil, home: TemporaryFolder? = nil, categories: [String] = [],
    desktop: Desktop = .unlocked, presence: ScriptedPresence? = nil, conditions: ScriptedPresence? = nil,
    whenConnected: @Sendable (BusName) -> Void = { _ in },
    _ body: @Sendable (CenterStand) async throws -> Void
  ) async throws {
    try await withBus(try PrivateBus(services: services, in: folder)) { loop, bus in
      var options = Connection.Options()
      options.callPacing = CallPacing()
      let connection = try await bus.connect(on: loop, options)
      let home = try home ?? TemporaryFolder()
      let center = try await MemoryMaker(loop: loop).center(
        on: connection, in: home, timeouts, burst: burst, system, categories, desktop, presence, conditions)
      let ready = Inbox<Bool>()
      // It ends when its connection is closed, below.
      let running = Task(executorPreference: loop) {
        try await ExportedInterfaces.export(center, on: connection)
        try await center.run {
          _ = try await connection.requestName(CenterBus.name)
          ready.put(true)
        }
      }
      _ = try await ready.next(within: .seconds(10), "center")
      let client = try await bus.connect(on: loop)
      if let name = await client.uniqueName { whenConnected(name) }
      let events = try await watch(from: client)
      let name = try #require(await connection.uniqueName)
      let stand = CenterStand(
        loop: loop, bus: bus, center: center, centerName: name, client: client, events: events)
      let outcome: Result<Void, any Error>
      do {
        // On its own thread: the few threads of the pool are needed by other tests, some of which block them.
        outcome = .success(
          try await withLoop { own in try await withTaskExecutorPreference(own) { try await body(stand) } })
      } catch {
        outcome = .failure(error)
      }
      await client.close()
      await connection.close()
      _ = await running.result
      // As the real process does: until a program begins, its process holds the lock of the store as well.
      await ChildProcess.finishStarting(within: .seconds(10), on: loop)
      await center.end()
      try outcome.get()
    }
  }

  /// Runs `body` while the center's loop is busy: what is sent to it in the meantime, it reads in one turn.
  ///
  /// - Parameters:
  ///   - begin: what the center does before, with the work that it queues for the loop's next turn.
  ///   - body: uses no connection of the center's loop.
  func whileBusy(
    after begin: @escaping @Sendable (isolated CenterService) -> Void = { _ in }, _ body: () async throws -> Void
  ) async throws {
    let (isBusy, isOver) = (Inbox<Bool>(), DispatchSemaphore(value: 0))
    loop.perform { [center, loop] in
      center.assumeIsolated(begin)
      loop.performNext {
        isBusy.put(true)
        isOver.wait()
      }
    }
    defer { isOver.signal() }
    _ = try await isBusy.next()
    try await body()
  }

  // MARK: The client

  @discardableResult
  func call(_ member: MemberName, _ arguments: [Value], as connection: Connection? = nil) async throws -> [Value] {
    try await (connection ?? client).call(
      MethodCall(to: CenterBus.name, CenterBus.path, CenterBus.interface, member, arguments))
  }

  @discardableResult
  func notify(_ id: String, _ more: [String: Value] = [:]) async throws -> String {
    var request: [String: Value] = ["app": "test", "id": .string(id), "title": .string(id)]
    request.merge(more) { $1 }
    return try await call("Notify", [.properties(request)]).first?.string ?? ""
  }

  /// The error of a `Notify` with this request.
  func refusal(of request: Value) async throws -> RemoteError {
    do {
      let reply = try await call("Notify", [request])
      throw TestFailure("it was taken, as \(reply)")
    } catch CallError.refused(let error) {
      return error
    }
  }

  func setCategories(_ categories: [String: Value]..., app: String = "test") async throws {
    try await call("SetCategories", [.string(app), .array(of: .properties, categories.map { .properties($0) })])
  }

  func respond(_ id: String, _ action: String) async throws {
    try await call("Respond", ["test", .string(id), .string(action), .properties([:])])
  }

  func count(_ member: MemberName, _ ids: [String]) async throws -> UInt32? {
    try await call(member, ["test", .strings(ids)]).first?.uint32
  }

  /// What `Why` says of the latest date of a request.
  func why(_ id: String) async throws -> String {
    let rows = try await call("Why", ["test", .string(id), .uint32(1)]).first?.elements
    return rows?.first?.properties?["why"]?.string ?? ""
  }

  /// The first page of a list.
  func listing(_ method: MemberName, app: String = "test") async throws -> [[String: Value]] {
    try await page(method, app: app).rows
  }

  /// A page of a list, and the cursor of the next one.
  func page(
    _ method: MemberName, app: String = "test", _ options: [String: Value] = [:], as caller: Connection? = nil
  ) async throws -> (rows: [[String: Value]], next: String) {
    let answer = try await call(method, [.string(app), .properties(options)], as: caller)
    guard answer.count == 2, case .array(_, let rows) = answer[0], let next = answer[1].string else {
      throw TestFailure("no list")
    }
    return (rows.compactMap(\.properties), next)
  }

  /// A whole list, page by page.
  func all(
    _ method: MemberName, app: String = "test", _ options: [String: Value] = [:], as caller: Connection? = nil
  ) async throws -> [[String: Value]] {
    var (rows, options) = ([[String: Value]](), options)
    while true {
      let page = try await page(method, app: app, options, as: caller)
      rows += page.rows
      if page.next.isEmpty { return rows }
      options["after"] = .string(page.next)
    }
  }

  func property(_ name: String) async throws -> Value? {
    let reply = try await client.call(
      MethodCall(
        to: CenterBus.name, CenterBus.path, "org.freedesktop.DBus.Properties", "Get",
        ["dev.suzu.Center1", .string(name)]))
    if case .variant(let value) = reply.first { return value }
    return nil
  }

  /// Watches like another client; the lines come through the inbox.
  static func watch(from connection: Connection) async throws -> Inbox<String> {
    let lines = Inbox<String>()
    let signals = try await connection.signals(
      matching: MatchRule(sender: CenterBus.name, interface: CenterBus.interface), buffering: 100_000)
    // It ends with the connection.
    _ = Task { for try await signal in signals { lines.put(line(signal)) } }
    _ = try await connection.call(
      MethodCall(to: CenterBus.name, CenterBus.path, CenterBus.interface, "Watch", [true]))
    return lines
  }

  private static func line(_ signal: Signal) -> String {
    let texts = signal.arguments.compactMap(\.string)
    // All requests here have the same app, and an outcome has none.
    return ([signal.member.text] + (signal.member == "Outcome" ? texts : Array(texts.dropFirst()))).joined(
      separator: " ")
  }

  /// The next lines, without checking them.
  func next(_ count: Int) async throws -> [String] { try await events.next(count) }

  // MARK: Servers

  /// - Parameter own: the loop of the server; the center's if it is nil.
  func server(
    on own: EventLoop? = nil, name: String = "scripted", version: String = "1",
    capabilities: [String] = ["actions", "body", "body-markup"],
    firstNumber: UInt32 = 1,
    script: @escaping @Sendable (ScriptedServer.Posted) -> ScriptedServer.Answer = { _ in .number }
  ) async throws -> ScriptedServer {
    let changes = try await client.signals(
      matching: MatchRule(
        sender: CenterBus.name, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged"))
    let server = try await ScriptedServer.start(
      on: bus, own ?? loop, name: name, version: version, capabilities: capabilities, firstNumber: firstNumber,
      script: script)
    // Until the center has queried the server's capabilities, requests wait, and may replace one another.
    var isKnown = try await property("Server") != .string("")
    var news = changes.makeAsyncIterator()
    while !isKnown, try await news.next() != nil { isKnown = try await property("Server") != .string("") }
    return server
  }

  /// Waits until the center has handled every message that was sent before, by any peer.
  ///
  /// The bus reads its sockets in no fixed order. The first answer proves that it has read all earlier messages, the
  /// second that the center has received them. Then the loop, which the center shares, runs until no task of it is
  /// ready. The last answer comes behind every signal that these tasks sent.
  func settle() async throws {
    try await awaitAnswer()
    try await awaitAnswer()
    await withCheckedContinuation { continuation in
      // The loop checks its deadlines once its queue is empty.
      loop.perform { [loop] in _ = loop.schedule(after: .zero) { continuation.resume() } }
    }
    try await awaitAnswer()
  }

  /// Asks until a change is visible that no event announces.
  func wait(
    for what: String, within limit: Duration = .seconds(20), until isThere: () async throws -> Bool
  ) async throws {
    let end = ContinuousClock.now + limit
    while try await !isThere() {
      guard ContinuousClock.now < end else { throw TestFailure("no \(what) within \(limit)") }
    }
  }

  private func awaitAnswer() async throws { _ = try await property("PendingCount") }
}

/// An action as it is sent on the bus; without further keys, it is done immediately.
func action(_ id: String, run: [String]? = nil, url: String? = nil, _ more: [String: Value] = [:]) -> Value {
  var fields: [String: Value] = ["id": .string(id), "title": .string(id)]
  if let run { fields["run"] = .strings(run) }
  if let url { fields["url"] = .string(url) }
  if fields.count == 2 && more.isEmpty { fields["run"] = .strings(["true"]) }
  return .properties(fields.merging(more) { $1 })
}

/// An action without an effect, which its app handles.
func appAction(_ id: String, _ more: [String: Value] = [:]) -> Value { action(id, ["icon": "x"].merging(more) { $1 }) }

/// Lets a click on the notification itself complete immediately.
let clickable: [String: Value] = ["actions": actions(action("default"))]

func actions(_ actions: Value...) -> Value { .array(of: .properties, actions) }

/// For a desktop where every caller counts as the user.
let everyone: @Sendable (Caller) async -> Rights? = { _ in .all }

extension Desktop {
  /// A desktop where every caller counts as the user, and the session is unlocked.
  static let unlocked = Desktop(
    identify: everyone, session: Session(isLocked: { false }, unlocked: { _ in true }))
}

/// Creates a center's resources on its loop, where they are used.
private actor MemoryMaker {
  let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(loop: EventLoop) { self.loop = loop }

  func center(
    on connection: Connection, in home: TemporaryFolder, _ timeouts: Timeouts, burst: Int, _ system: SystemZone,
    _ categories: [String], _ desktop: Desktop, _ presence: ScriptedPresence?, _ conditions: ScriptedPresence?
  ) throws -> CenterService {
    let time = MachineTime(on: loop)
    let store = try Store(folder: home.path("suzu")) { time.wall }
    return CenterService(
      on: connection,
      resources: CenterResources(
        store: store, time: time, zones: MachineZone(on: loop, system: system),
        conditions: conditions.map { [$0] } ?? [], presence: presence.map { [$0] } ?? [], categories: categories),
      timeouts: timeouts, burst: burst, desktop: desktop)
  }
}

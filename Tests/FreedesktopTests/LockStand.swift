// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import Freedesktop
import TestSupport
import Testing

/// A session bus and a system bus with the test's peers, and the lock under test.
struct LockStand {
  let loop: EventLoop
  let session: PrivateBus
  let system: PrivateBus
  let connection: Connection
  let lock: SessionLock

  /// Runs a body with its own stand; `limit` is the time limit of a query.
  static func run(
    limit: Duration = .seconds(5), _ body: @Sendable (LockStand) async throws -> Void
  ) async throws {
    let (session, system) = (try PrivateBus(), try PrivateBus())
    try await withLoop { loop in
      let connection = try await session.connect(on: loop)
      let lock = SessionLock(on: connection, system: try BusAddress(system.address), user: 1000, limit: limit)
      try await body(LockStand(loop: loop, session: session, system: system, connection: connection, lock: lock))
      await connection.close()
    }
  }

  /// A fake screen saver.
  func saver(_ name: String = "org.gnome.ScreenSaver", at path: String? = nil) async throws -> ScriptedLocker {
    let path = path ?? "/" + name.replacingOccurrences(of: ".", with: "/")
    let locker = ScriptedLocker(try await session.connect(on: loop), name, path)
    try await locker.start()
    return locker
  }

  /// A fake logind with the user's session `c1` on the screen, and the caller's own session if it has one.
  func logind(own: String? = nil, display: String = "c1") async throws -> ScriptedLogind {
    let logind = ScriptedLogind(try await system.connect(on: loop))
    try await logind.start(own: own, display: display)
    return logind
  }

  /// Begins to wait, and returns once the peer was queried.
  func wait(_ limit: Duration = .seconds(30), asking locker: ScriptedLocker) async throws -> Task<Bool, Never> {
    let waiting = Task { await lock.unlocked(within: limit) }
    _ = try await locker.asked.next()
    return waiting
  }

  /// The unique names on a bus.
  static func guests(of connection: Connection) async throws -> Set<String> {
    Set(try await connection.call(.toBus("ListNames")).first?.strings?.filter { $0.hasPrefix(":") } ?? [])
  }
}

/// A screen saver that the test controls.
actor ScriptedLocker {
  enum Answer: Sendable {
    case active(Bool)
    case values([Value])
    case refuse(ErrorName)
    case hold
  }

  let connection: Connection
  let name: String
  let path: ObjectPath
  private var answer = Answer.active(false)
  private var held: [CheckedContinuation<Answer, Never>] = []
  private(set) var queries = 0
  /// The queries, as they arrive.
  nonisolated let asked = Inbox<Void>()
  nonisolated var unownedExecutor: UnownedSerialExecutor { connection.loop.asUnownedSerialExecutor() }

  init(_ connection: Connection, _ name: String, _ path: String) {
    self.connection = connection
    self.name = name
    self.path = ObjectPath(stringLiteral: path)
  }

  func start() async throws {
    let table = Interface(
      InterfaceName(stringLiteral: name),
      methods: [Method("GetActive", out: ["active": "b"]) { _ in try await self.getActive() }])
    try await connection.export(table, at: path)
    try await takeName()
  }

  func takeName() async throws {
    #expect(try await connection.requestName(BusName(stringLiteral: name)) == .owner)
  }

  func dropName() async throws { try await connection.releaseName(BusName(stringLiteral: name)) }

  private func getActive() async throws -> [Value] {
    asked.put(())
    queries += 1
    var answer = answer
    if case .hold = answer { answer = await withCheckedContinuation { held.append($0) } }
    switch answer {
    case .active(let isActive): return [.boolean(isActive)]
    case .values(let values): return values
    case .refuse(let error): throw RemoteError(error, "")
    case .hold: return [true]
    }
  }

  func follow(_ answer: Answer) {
    self.answer = answer
    if case .hold = answer { return }
    for continuation in held { continuation.resume(returning: answer) }
    held = []
  }

  /// Emits the signal without a query.
  func tell(_ isActive: Bool) async throws {
    follow(.active(isActive))
    try await emit(isActive)
  }

  /// Emits the signal, whatever is answered.
  func emit(_ isActive: Bool) async throws {
    try await connection.emit(
      Signal(path, InterfaceName(stringLiteral: name), "ActiveChanged", [.boolean(isActive)]))
  }

  func close() async {
    follow(.active(false))
    await connection.close()
  }
}

/// The parts of logind that the lock needs.
actor ScriptedLogind {
  let connection: Connection
  private var hints: [String: Bool] = [:]
  private var error: ErrorName?
  nonisolated var unownedExecutor: UnownedSerialExecutor { connection.loop.asUnownedSerialExecutor() }

  init(_ connection: Connection) { self.connection = connection }

  static func path(_ session: String) -> ObjectPath {
    ObjectPath(stringLiteral: "/org/freedesktop/login1/session/" + session)
  }

  func start(own: String?, display: String) async throws {
    let user: ObjectPath = "/org/freedesktop/login1/user/_1000"
    let manager = Interface(
      "org.freedesktop.login1.Manager",
      methods: [
        Method("GetSessionByPID", in: ["pid": "u"], out: ["path": "o"]) { call in
          try await self.pass()
          #expect(call.arguments == [.uint32(0)])
          guard let own else { throw RemoteError("org.freedesktop.login1.NoSessionForPID", "") }
          return [.objectPath(Self.path(own))]
        },
        Method("GetUser", in: ["uid": "u"], out: ["path": "o"]) { call in
          try await self.pass()
          guard call.arguments == [.uint32(1000)] else { throw RemoteError("org.freedesktop.login1.NoSuchUser", "") }
          return [.objectPath(user)]
        },
      ])
    try await connection.export(manager, at: "/org/freedesktop/login1")
    let shown: Value = .structure([.string(display), .objectPath(display.isEmpty ? "/" : Self.path(display))])
    try await connection.export(
      Interface("org.freedesktop.login1.User", properties: [Property("Display", "(so)") { shown }]), at: user)
    for session in Set([own ?? "c1", "c1", "c2"]) {
      let property = Property("LockedHint", "b") { .boolean(await self.hints[session] ?? false) }
      try await connection.export(
        Interface("org.freedesktop.login1.Session", properties: [property]), at: Self.path(session))
    }
    #expect(try await connection.requestName("org.freedesktop.login1") == .owner)
  }

  private func pass() throws { if let error { throw RemoteError(error, "") } }

  func refuse(_ error: ErrorName?) { self.error = error }

  func hint(_ session: String, _ isLocked: Bool) async throws {
    hints[session] = isLocked
    try await connection.propertiesChanged(["LockedHint"], of: "org.freedesktop.login1.Session", at: Self.path(session))
  }

  func close() async { await connection.close() }
}

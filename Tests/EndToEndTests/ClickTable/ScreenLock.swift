// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import TestSupport

/// The screen saver of the session, which reports whether the session is locked.
actor ScreenLock {
  private let connection: Connection
  private var isLocked: Bool
  private var isHolding = false
  private var held: [CheckedContinuation<Void, Never>] = []
  nonisolated var unownedExecutor: UnownedSerialExecutor { connection.loop.asUnownedSerialExecutor() }

  private static let path: ObjectPath = "/org/freedesktop/ScreenSaver"
  private static let interface: InterfaceName = "org.freedesktop.ScreenSaver"

  static func start(on bus: PrivateBus, _ loop: EventLoop, isLocked: Bool) async throws -> ScreenLock {
    let lock = ScreenLock(try await bus.connect(on: loop), isLocked)
    try await lock.export()
    return lock
  }

  private init(_ connection: Connection, _ isLocked: Bool) {
    self.connection = connection
    self.isLocked = isLocked
  }

  private func export() async throws {
    let question = Method("GetActive", out: ["active": "b"]) { _ in [.boolean(await self.answer())] }
    try await connection.export(Interface(Self.interface, methods: [question]), at: Self.path)
    guard try await connection.requestName("org.freedesktop.ScreenSaver") == .owner else {
      throw TestFailure("another program is the screen saver")
    }
  }

  func close() async { await connection.close() }

  private func answer() async -> Bool {
    if isHolding { await withCheckedContinuation { held.append($0) } }
    return isLocked
  }

  /// Delays its answers until it has reported the unlock.
  func hold() { isHolding = true }

  func unlock() async throws {
    (isLocked, isHolding) = (false, false)
    for continuation in held { continuation.resume() }
    held = []
    try await connection.emit(Signal(Self.path, Self.interface, "ActiveChanged", [false]))
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop

/// The connection to the system bus that all sources share. It is opened for the first source that needs it, and closed
/// after the last.
final class SystemBusLink {
  private let address: BusAddress?
  private let loop: EventLoop
  private var users = 0
  private var connection: Connection?
  private var opening: Task<Connection?, Never>?

  /// The delays between attempts to reach a missing bus. After the last one a machine without this bus is left alone,
  /// and not polled.
  static let retries: [Duration] = [.seconds(10), .seconds(60), .seconds(300)]
  private static let limit: Duration = .seconds(10)

  init(_ address: BusAddress?, on loop: EventLoop) {
    self.address = address
    self.loop = loop
  }

  /// Opens the bus for one more user; nil if it cannot be reached. A user that got it must call ``release()``.
  func acquire() async -> Connection? {
    users += 1
    if let connection { return connection }
    let task = opening ?? open()
    opening = task
    let opened = await task.value
    opening = nil
    if opened == nil {
      users -= 1
    } else if users > 0 {
      connection = opened
    }
    return opened
  }

  func release() {
    users -= 1
    guard users == 0, let connection else { return }
    self.connection = nil
    loop.startLater { await connection.close() }
  }

  private func open() -> Task<Connection?, Never> {
    var options = Connection.Options()
    options.connectionLimit = Self.limit
    options.reconnects = true
    // Services send short messages; a malicious one could make the center parse 128 MiB.
    options.longestReply = 8 << 20
    options.longestSignal = 1 << 20
    let (address, loop, chosen) = (address, loop, options)
    return Task(executorPreference: loop) {
      guard let address else { return nil }
      return try? await Connection.open(address, on: loop, options: chosen)
    }
  }
}

/// A bus that a source uses: the system's, or the session's, which the center is connected to anyway.
enum SourceBus {
  case system(SystemBusLink)
  case session(Connection)

  func acquire() async -> Connection? {
    switch self {
    case .system(let link): await link.acquire()
    case .session(let connection): connection
    }
  }

  func release() { if case .system(let link) = self { link.release() } }

  var name: String { if case .system = self { "system bus" } else { "session bus" } }
}

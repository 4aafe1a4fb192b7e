// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop

/// The connection to the system bus, if there is one.
enum SystemBus: Sendable {
  case open(Connection)
  case absent
  /// The bus exists and does not answer.
  case hanging

  static func open(_ address: BusAddress?, on loop: EventLoop, limit: Duration, reconnects: Bool) async -> SystemBus {
    guard let address else { return .absent }
    var options = Connection.Options()
    options.connectionLimit = limit
    options.reconnects = reconnects
    do throws(CallError) {
      return .open(try await Connection.open(address, on: loop, options: options))
    } catch {
      return error.failureCode == .timedOut ? .hanging : .absent
    }
  }

  func close() async {
    if case .open(let connection) = self { await connection.close() }
  }
}

// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import TestSupport

/// A program that is attached as the handler of apps, and completes each response as done.
final class Handler: Sendable {
  private let connection: Connection

  init(on bus: PrivateBus, _ loop: EventLoop, telling sights: Inbox<Sight>) async throws {
    connection = try await bus.connect(on: loop)
    let signals = try await connection.signals(
      matching: MatchRule(sender: CenterPeer.name, interface: CenterPeer.interface, member: "Responded"))
    // It ends with the connection.
    _ = Task { [weak self] in
      for try await signal in signals {
        guard let self, case .responded(let number, let id, let action, let reply)? = Sight(signal) else { continue }
        sights.put(.told(number, id: id, action: action, reply: reply, handler: self))
      }
    }
  }

  func close() async { await connection.close() }

  func attach(to app: String) async throws {
    try await connection.call(
      MethodCall(to: CenterPeer.name, CenterPeer.path, CenterPeer.interface, "Attach", [.string(app)]))
  }

  func complete(_ response: UInt64) async throws {
    try await connection.call(
      MethodCall(
        to: CenterPeer.name, CenterPeer.path, CenterPeer.interface, "Complete", [.uint64(response), .properties([:])]))
  }
}

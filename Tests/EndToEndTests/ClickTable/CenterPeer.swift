// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

/// The center as a watcher sees it, across all of its restarts.
final class CenterPeer: Sendable {
  static let name: BusName = "dev.suzu.Center"
  static let path: ObjectPath = "/dev/suzu/Center"
  static let interface: InterfaceName = "dev.suzu.Center1"

  private let session: ClickSession
  private let client: Connection
  private let owners = Inbox<BusName?>()

  init(of session: ClickSession, _ loop: EventLoop, telling sights: Inbox<Sight>) async throws {
    self.session = session
    client = try await session.session.bus.connect(on: loop)
    let changes = try await client.owners(of: Self.name)
    let signals = try await client.signals(
      matching: MatchRule(sender: Self.name, interface: Self.interface), buffering: 100_000)
    // They end with the connection.
    _ = Task { [owners] in for await owner in changes { owners.put(owner) } }
    _ = Task { for try await signal in signals { Sight(signal).map(sights.put) } }
  }

  /// Starts the center; returns when it is watched and knows the notification server.
  func start() async throws -> RunningProgram {
    let program = try session.startCenter()
    do {
      _ = try await owners.next(within: .seconds(30), "center") { $0 != nil }
    } catch {
      throw TestFailure("\(error); it says: \(program.errors)")
    }
    try await call("Watch", [true])
    try await awaitServer()
    return program
  }

  /// Kills the center, as a crash would; returns when the bus has noticed.
  func kill(_ program: RunningProgram) async throws {
    program.kill()
    _ = try await owners.next("end of the center") { $0 == nil }
  }

  func end(_ program: RunningProgram) {
    program.signal(SIGTERM)
    #expect(program.waitForExit() == 0, "\(program.errors)")
  }

  func close() async { await client.close() }

  private func awaitServer() async throws {
    let changes = try await client.signals(
      matching: MatchRule(
        sender: Self.name, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged"))
    var news = changes.makeAsyncIterator()
    while try await !knowsServer(), try await news.next() != nil {}
  }

  private func knowsServer() async throws -> Bool {
    let reply = try await client.call(
      MethodCall(
        to: Self.name, Self.path, "org.freedesktop.DBus.Properties", "Get",
        [.string(Self.interface.text), "Server"]))
    return reply.first != .variant("")
  }

  @discardableResult
  func call(_ member: MemberName, _ arguments: [Value]) async throws -> [Value] {
    try await client.call(MethodCall(to: Self.name, Self.path, Self.interface, member, arguments))
  }

  /// The center's whole history, by id.
  func history() async throws -> [String: [[String: Value]]] {
    let page = try await call("History", ["", .properties(["limit": .uint32(1000)])])
    return Dictionary(grouping: page.first?.elements?.compactMap(\.properties) ?? []) { $0["id"]?.string ?? "" }
  }
}

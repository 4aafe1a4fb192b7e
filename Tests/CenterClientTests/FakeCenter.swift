// SPDX-License-Identifier: Apache-2.0
import CenterClient
import DBus
import EventLoop
import Synchronization
import TestSupport

/// A center that does nothing but note what it is asked, and answer what the test wants.
final class FakeCenter: Sendable {
  static let name: BusName = "dev.suzu.Center"
  static let path: ObjectPath = "/dev/suzu/Center"
  static let interface: InterfaceName = "dev.suzu.Center1"

  let connection: Connection
  private let calls = Mutex<[[Value]]>([])
  private let listing = Mutex<[Value]>([])
  private let refusal = Mutex<RemoteError?>(nil)
  private let unanswered = Mutex(0)

  private init(_ connection: Connection) { self.connection = connection }

  /// A center that owns the name.
  static func start(
    on bus: PrivateBus, _ loop: EventLoop, _ options: NameOptions = [.doNotQueue, .allowReplacement]
  ) async throws -> FakeCenter {
    let center = FakeCenter(try await bus.connect(on: loop))
    try await center.connection.export(center.table(), at: path)
    guard try await center.connection.requestName(name, options) == .owner else { throw TestFailure("no name") }
    return center
  }

  private func table() -> Interface {
    let ids: KeyValuePairs<String, Signature> = ["app": "s", "ids": "as"]
    let page: KeyValuePairs<String, Signature> = ["app": "s", "options": "a{sv}"]
    let rows: KeyValuePairs<String, Signature> = ["requests": "aa{sv}", "next": "s"]
    return Interface(
      Self.interface,
      methods: [
        Method("Notify", in: ["request": "a{sv}"], out: ["id": "s"]) { try self.note($0, ["made-up"]) },
        Method("Ask", in: ["request": "a{sv}"], out: ["id": "s"]) { try self.note($0, ["made-up"]) },
        Method("NotifyMany", in: ["requests": "aa{sv}"], out: ["ids": "as"]) { call in
          try self.note(call, [.strings((call.arguments[0].elements ?? []).indices.map { "made-up-\($0)" })])
        },
        Method("Pending", in: page, out: rows) { try self.note($0, self.rows($0)) },
        Method("Delivered", in: page, out: rows) { try self.note($0, self.rows($0)) },
        Method("History", in: page, out: rows) { try self.note($0, self.rows($0)) },
        Method("Next", in: ["request": "a{sv}", "count": "u"], out: ["dates": "ax"]) {
          try self.note($0, [.array(of: .int64, [.int64(1_795_000_000), .int64(-1)])])
        },
        Method("Cancel", in: ids, out: ["count": "u"]) { try self.note($0, [.uint32(2)]) },
        Method("Dismiss", in: ids, out: ["count": "u"]) { try self.note($0, [.uint32(3)]) },
        Method("Acknowledge", in: ids, out: ["count": "u"]) { try self.note($0, [.uint32(2)]) },
        Method("Respond", in: ["app": "s", "id": "s", "action": "s", "options": "a{sv}"]) { try self.note($0, []) },
        Method("Watch", in: ["enabled": "b"]) { try self.note($0, []) },
        Method("Categories", in: ["app": "s"], out: ["categories": "aa{sv}"]) {
          try self.note($0, [.array(of: .properties, self.listing.withLock { $0 })])
        },
        Method("SetCategories", in: ["app": "s", "categories": "aa{sv}"]) { try self.note($0, []) },
        Method("Register", in: ["app": "s", "types": "as"], out: ["allowed": "as"]) {
          try self.note($0, [.strings(["sound", "smell"])])
        },
        Method("Settings", in: ["app": "s"], out: ["settings": "a{sv}"]) {
          try self.note($0, [.properties(["allowed": .strings(["badge"]), "decided": true])])
        },
        Method("Apps", out: ["apps": "aa{sv}"]) {
          try self.note($0, [.array(of: .properties, self.listing.withLock { $0 })])
        },
        Method("Allow", in: ["app": "s", "types": "as"]) { try self.note($0, []) },
        Method("ClearHistory", in: ["app": "s", "before": "x"], out: ["count": "u"]) {
          try self.note($0, [.uint32(3)])
        },
        Method("Reset", in: ["app": "s"]) { try self.note($0, []) },
        Method("Attach", in: ["app": "s"]) { try self.note($0, []) },
        Method("Detach", in: ["app": "s"]) { try self.note($0, []) },
        Method("Complete", in: ["response": "t", "details": "a{sv}"]) { try self.note($0, []) },
      ])
  }

  /// Its cursor is the number of rows before the page.
  private func rows(_ call: UntypedCall) -> [Value] {
    let options = call.arguments[1].properties ?? [:]
    let (start, limit) = (Int(options["after"]?.string ?? "") ?? 0, Int(options["limit"]?.uint32 ?? 0))
    let all = listing.withLock { $0 }
    let end = min(all.count, start + limit)
    return [.array(of: .properties, Array(all[start..<end])), .string(end < all.count ? "\(end)" : "")]
  }

  /// What all three listings hold from now on.
  func list(_ rows: [Value]) { listing.withLock { $0 = rows } }

  private func note(_ call: UntypedCall, _ answer: [Value]) throws -> [Value] {
    if let refusal = refusal.withLock({ $0 }) { throw refusal }
    calls.withLock { $0.append([.string(call.member.text)] + call.arguments) }
    let isAnswered = unanswered.withLock { left in
      if left > 0 { left -= 1 } else { return true }
      return false
    }
    // What the bus says for a program that ends before it answers.
    if !isAnswered { throw RemoteError(.noReply, "it ended") }
    return answer
  }

  /// What it was asked: the method's name, then its arguments.
  var asked: [[Value]] { calls.withLock { $0 } }

  /// Refuses everything from now on.
  func refuse(_ error: RemoteError) { refusal.withLock { $0 = error } }

  /// Answers so many calls as a center that ends would.
  func end(duringCalls count: Int) { unanswered.withLock { $0 = count } }

  func emit(_ member: MemberName, _ arguments: [Value], to receiver: BusName? = nil) async throws {
    try await connection.emit(Signal(Self.path, Self.interface, member, arguments, to: receiver))
  }
}

/// Runs a body with a bus, a center on it, and a client of that center on the same loop.
func withCenter<T: Sendable>(_ body: @Sendable (PrivateBus, FakeCenter, Center) async throws -> T) async throws -> T {
  try await withBus(PrivateBus()) { loop, bus in
    let fake = try await FakeCenter.start(on: bus, loop)
    let center = try await Center.connect(toBus: bus.address, on: loop)
    let result = try await body(bus, fake, center)
    await center.close()
    await fake.connection.close()
    return result
  }
}

// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import EventLoop
import Synchronization
import TestSupport

/// A center that notes what links tell it, and answers what a test wants.
final class ScriptedCenter: Sendable {
  /// The arguments of `Push`.
  struct Push: Sendable {
    let app: String
    let payload: [String: Value]
    let options: [String: Value]

    var id: String? { options["id"]?.string }
    /// The words of `aps`.
    var aps: [String: Value] { payload["aps"]?.properties ?? [:] }
    /// The text that is shown.
    var body: String? { aps["alert"]?.properties?["body"]?.string }
    var title: String? { aps["alert"]?.properties?["title"]?.string }
  }

  /// What was called, in order.
  let pushes = Inbox<Push>()
  /// Its messages to servers elsewhere.
  let outbox = ScriptedOutbox()
  let withdrawn = Inbox<(member: String, app: String, ids: [String])>()
  /// The messages that were answered elsewhere, such as `m1 desk`.
  let answered = Inbox<String>()
  /// Called with the number of each push, from 1; throws what is answered instead.
  private let refusal: @Sendable (Int) throws -> Void
  private let count = Mutex(0)
  private let connection: Connection

  private static let push = MethodDescription(
    "Push", in: ("app", String.self), ("payload", [String: Value].self), ("options", [String: Value].self),
    out: ("id", String.self))

  private init(_ connection: Connection, _ refusal: @escaping @Sendable (Int) throws -> Void) {
    (self.connection, self.refusal) = (connection, refusal)
  }

  static func start(
    on bus: PrivateBus, _ loop: EventLoop, answering refusal: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) async throws -> ScriptedCenter {
    let center = ScriptedCenter(try await bus.connect(on: loop), refusal)
    try await center.connection.export(center.table(), at: "/dev/suzu/Center")
    guard try await center.connection.requestName("dev.suzu.Center", .doNotQueue) == .owner else {
      throw TestFailure("no name")
    }
    return center
  }

  /// Sends the signal that a message waits to the programs that have asked for messages.
  func put(_ item: ScriptedOutbox.Item) async throws {
    for name in outbox.put(item) {
      try await connection.emit(
        Signal(CenterSignals.outgoingWaiting, "/dev/suzu/Center", "dev.suzu.Center1", to: name))
    }
  }

  /// Leaves the bus.
  func stop() async { await connection.close() }

  private func table() -> Interface {
    let ids: KeyValuePairs<String, Signature> = ["app": "s", "ids": "as"]
    return Interface(
      "dev.suzu.Center1",
      methods: [
        Method(Self.push) { _, app, payload, options, _ in
          let number = self.count.withLock { count in
            count += 1
            return count
          }
          try self.refusal(number)
          self.pushes.put(Push(app: app, payload: payload, options: options))
          return "made"
        },
        Method(CenterMethods.answered) { _, _, id, name, _ in self.answered.put("\(id) \(name)") },
        Method("Cancel", in: ids, out: ["count": "u"]) { try self.note("Cancel", $0) },
        Method("Dismiss", in: ids, out: ["count": "u"]) { try self.note("Dismiss", $0) },
      ] + outbox.methods)
  }

  private func note(_ member: String, _ call: UntypedCall) throws -> [Value] {
    let ids = (call.arguments[1].elements ?? []).compactMap(\.string)
    withdrawn.put((member: member, app: call.arguments[0].string ?? "", ids: ids))
    return [.uint32(1)]
  }
}

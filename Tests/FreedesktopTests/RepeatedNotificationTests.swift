// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop
import TestSupport
import Testing

/// Tests that a notification arrives as it is, also if its message is that of the last one with another number.
@Suite(.timeLimit(.minutes(1))) struct RepeatedNotificationTests {
  private static let tea = NotificationServerClientTests.tea

  /// Notifications that differ from `tea` in one argument each.
  private static let variants: [ServerNotification] = {
    let changes: [(inout ServerNotification) -> Void] = [
      { $0.appName = "Other" }, { $0.icon = "other" }, { $0.summary = "Other" }, { $0.body = "other" },
      { $0.actions.removeLast() }, { $0.actions[0].label = "Other" }, { $0.hints["urgency"] = .byte(1) },
      { $0.hints["resident"] = nil }, { $0.expiry = .never },
      { $0.hints["image-data"] = .bytes([UInt8](repeating: 7, count: 100_000)) },
    ]
    return changes.map { change in
      var notification = tea
      change(&notification)
      return notification
    }
  }()

  @Test func `Equal and different notifications arrive as they are`() async throws {
    try await ServerStand.run { stand in
      _ = try await stand.follow()
      let drawings = Reader(stand.display.drawings)
      var number: UInt32 = 0
      for notification in [Self.tea] + Self.variants.flatMap({ [$0, $0, Self.tea, Self.tea] }) {
        number = try await stand.server.notify(notification, replacing: number).number
        let drawn = try await drawings.shown()
        #expect(drawn.notification == notification)
        #expect(drawn.number == 1 && number == 1)
      }
    }
  }

  @Test func `The same notification goes to the next server`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await ServerStand(bus, loop)
      #expect(try await stand.service.start())
      let events = try await stand.follow()
      #expect(try await stand.server.notify(Self.tea).number == 1)
      await stand.serverConnection.close()
      #expect(await events.next() == .vanished)
      let other = try await bus.connect(on: loop)
      let notify = Method("Notify", in: ServerStand.notifySignature, out: ["id": "u"]) { call in
        [.uint32(call.arguments[1] == .uint32(3) ? 42 : 0)]
      }
      try await ServerStand.exportServer([notify], on: other)
      let state = try await events.expectAppearance()
      #expect(state.owner == (await other.uniqueName))
      #expect(try await stand.server.notify(Self.tea, replacing: 3).number == 42)
      await other.close()
      await stand.close()
    }
  }
}

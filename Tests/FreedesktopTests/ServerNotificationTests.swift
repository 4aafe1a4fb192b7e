// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Freedesktop
import TestSupport
import Testing

/// Tests encoding of notifications for the protocol.
@Suite(.timeLimit(.minutes(1))) struct ServerNotificationTests {
  @Test(
    arguments: [
      (.byte(0), .low), (.byte(1), .normal), (.byte(2), .critical), (.int32(2), .critical), (.uint32(0), .low),
      (.int64(2), .critical), (.byte(3), .normal), (.int32(-1), .normal), (.int32(256), .normal), ("critical", .normal),
      (.variant(.byte(2)), .normal), (.double(2), .normal), (true, .normal),
    ] as [(Value, ServerNotification.Urgency)])
  func `Urgency is accepted as any integer type`(_ hint: Value, _ urgency: ServerNotification.Urgency) {
    #expect(ServerNotification(appName: "", summary: "", hints: ["urgency": hint]).urgency == urgency)
  }

  @Test(
    arguments: [
      (.int32(42), 42), (.uint32(0), 0), (.int32(-5), 0), (.int32(101), 100), (.uint64(.max), nil), (.byte(7), 7),
      ("42", nil), (.double(42), nil),
    ] as [(Value, Int?)])
  func `Progress stays between 0 and 100`(_ hint: Value, _ progress: Int?) {
    #expect(ServerNotification(appName: "", summary: "", hints: ["value": hint]).progress == progress)
  }

  @Test func `Without hints all values are the defaults`() {
    let notification = ServerNotification(appName: "", summary: "")
    #expect(notification.urgency == .normal)
    #expect(notification.progress == nil)
    #expect(!notification.isResident)
    #expect(!ServerNotification(appName: "", summary: "", hints: ["resident": .byte(1)]).isResident)
  }

  @Test(
    arguments: [
      (.serverDecides, -1), (.never, 0), (.after(.seconds(1)), 1000), (.after(.microseconds(1500)), 1),
      (.after(.nanoseconds(1)), 1), (.after(.zero), 1), (.after(.seconds(-1)), 1),
      (.after(.milliseconds(Int32.max)), .max),
      (.after(.seconds(2_147_484)), .max), (.after(.seconds(Int64.max)), .max), (.after(.seconds(Int64.min)), 1),
      (.after(Duration(secondsComponent: 9_223_372_036_854_775, attosecondsComponent: 999_999_999_999_999_999)), .max),
    ] as [(ServerNotification.Expiry, Int32)])
  func `The expiry time fits the protocol`(_ expiry: ServerNotification.Expiry, _ milliseconds: Int32) async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let stand = try await ServerStand(bus, loop)
      let (sent, arguments) = AsyncStream<Value>.makeStream()
      let notify = Method("Notify", in: ServerStand.notifySignature, out: ["id": "u"]) { call in
        arguments.yield(call.arguments[7])
        return [.uint32(1)]
      }
      try await ServerStand.exportServer([notify], on: stand.serverConnection)
      _ = try await stand.follow()
      _ = try await stand.server.notify(ServerNotification(appName: "", summary: "a", expiry: expiry))
      #expect(await sent.first() == .int32(milliseconds))
      await stand.close()
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import CenterClient
import DBus
import Foundation
import NotificationModel
import RunningApp
import Suzu
import TestSupport
import Testing

@testable import UserNotifications

/// Tests extensions that change the content of messages from a server before they are shown.
@Suite(.onOwnThread, .timeLimit(.minutes(5))) struct ServiceExtensionTests {
  /// Changes the text at once, only when its time is over, or never.
  private final class Changing: UNNotificationServiceExtension, @unchecked Sendable {
    // @unchecked: the second method waits for the first one.

    enum Manner {
      case atOnce, atTheEnd, never, twice, withoutText
    }

    let manner: Manner
    let calls: Inbox<String>
    private let hasBegun = DispatchSemaphore(value: 0)
    private var handler: ((UNNotificationContent) -> Void)?
    private var content = UNMutableNotificationContent()

    init(_ manner: Manner, _ calls: Inbox<String>) {
      self.manner = manner
      self.calls = calls
    }

    override func didReceive(
      _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
      calls.put("didReceive \(request.identifier) \(Thread.isMainThread)")
      defer { hasBegun.signal() }
      content = request.content.mutableCopy() as? UNMutableNotificationContent ?? content
      content.body = "Changed"
      switch manner {
      case .atOnce: contentHandler(content)
      case .atTheEnd: handler = contentHandler
      case .never: break
      case .twice:
        contentHandler(content)
        content.body = "Changed twice"
        contentHandler(content)
      case .withoutText: contentHandler(UNMutableNotificationContent())
      }
    }

    override func serviceExtensionTimeWillExpire() {
      hasBegun.wait()
      calls.put("will expire")
      content.body = "In time"
      handler?(content)
    }
  }

  private static func message(
    _ id: String = "message", _ userInfo: [AnyHashable: Any] = ["aps": ["mutable-content": 1]],
    trigger: UNNotificationTrigger? = nil
  ) -> UNNotificationRequest {
    let content = UNMutableNotificationContent()
    content.title = "Message"
    content.body = "Original"
    content.userInfo = userInfo
    return UNNotificationRequest(identifier: id, content: content, trigger: trigger)
  }

  @Test(
    arguments: [
      (.atOnce, "Changed", []), (.atTheEnd, "In time", ["will expire"]), (.never, "Original", ["will expire"]),
      (.twice, "Changed", []), (.withoutText, "Original", []),
    ] as [(Changing.Manner, String, [String])])
  private func `An extension has its time, and the original counts without an answer`(
    manner: Changing.Manner, body: String, more: [String]
  ) async throws {
    let calls = Inbox<String>()
    let request = Self.message()
    // Long for the answers that come at once.
    let limit = more.isEmpty ? ServiceExtensionRun.usualLimit : .milliseconds(10)
    let changed = await ServiceExtensionRun.request(
      request, changedBy: { Changing(manner, calls) }, within: limit)
    #expect(changed.identifier == "message" && changed.content.title == "Message")
    #expect(changed.content.body == body)
    #expect(try await calls.next(1 + more.count) == ["didReceive message false"] + more)
  }

  @Test func `A message is shown with the changed content`() async throws {
    try await CenterStand.run { stand in
      let calls = Inbox<String>()
      stand.center.serviceExtension = { Changing(.atOnce, calls) }
      try await stand.center.add(Self.message())
      #expect(try await stand.shown("message").body == "Changed")
      // With a handler, too.
      let errors = Inbox<String?>()
      stand.center.add(Self.message("other")) { errors.put($0.map { "\($0)" }) }
      #expect(try await stand.shown("other").body == "Changed")
      #expect(try await errors.next() == nil)
      let delivered = await stand.center.deliveredNotifications()
      #expect(delivered.map(\.request.content.body) == ["Changed", "Changed"])
      #expect(delivered.first?.request.content.userInfo["aps"] as? [String: Int] == ["mutable-content": 1])
    }
  }

  @Test func `Other requests are not changed, and do not wait for an extension`() async throws {
    try await CenterStand.run { stand in
      let calls = Inbox<String>()
      stand.center.serviceExtension = { Changing(.never, calls) }
      let waiting = Task { try await stand.center.add(Self.message("waits")) }
      #expect(try await calls.next() == "didReceive waits false")
      for (id, userInfo) in [
        ("a", [:]), ("b", ["aps": [String: Any]()]), ("c", ["aps": ["mutable-content": 0]]), ("d", ["aps": "text"]),
        ("e", ["mutable-content": 1]),
      ] as [(String, [AnyHashable: Any])] {
        try await stand.center.add(Self.message(id, userInfo))
        #expect(try await stand.shown(id).body == "Original")
      }
      try await stand.center.add(
        Self.message("later", trigger: UNTimeIntervalNotificationTrigger(timeInterval: 600, repeats: false)))
      #expect(await stand.center.pendingNotificationRequests().map(\.identifier) == ["later"])
      #expect(calls.waiting.isEmpty)
      stand.center.serviceExtension = nil
      try await stand.center.add(Self.message("f"))
      #expect(try await stand.shown("f").body == "Original")
      waiting.cancel()
    }
  }

  // MARK: Pushes

  private static func push(
    _ stand: CenterStand, _ aps: [String: PlainValue] = [:], as id: RequestID = "pushed"
  ) async throws {
    var delivery = PushDelivery()
    delivery.collapse = id
    let words: [String: PlainValue] = [
      "alert": .dictionary(["title": .text("Message"), "body": .text("Original")]), "mutable-content": .integer(1),
    ]
    try await stand.observer.push(
      PushPayload(["aps": .dictionary(words.merging(aps) { $1 }), "page": .integer(7)]), to: AppID(CenterStand.app),
      delivery)
  }

  /// Returns when the center knows whether there is an extension.
  private static func announce(_ stand: CenterStand) async throws {
    try await stand.center.delivery.announceChange(stand.running.app())
  }

  @Test func `A push is shown with the changed content, and keeps what the extension cannot change`() async throws {
    try await CenterStand.run { stand in
      let calls = Inbox<String>()
      let delegate = NotingDelegate()
      stand.center.delegate = delegate
      stand.center.serviceExtension = { Changing(.atOnce, calls) }
      try await Self.announce(stand)
      try await Self.push(
        stand,
        [
          "category": .text("im.received"), "sound": .text("bell"), "url": .text("https://example.org"),
          "thread-id": .text("chat"), "interruption-level": .text("time-sensitive"),
        ])
      let posted = try await stand.shown("pushed")
      #expect(posted.summary == "Message" && posted.body == "Changed" && posted.hints["category"] == "im.received")
      #expect(try await calls.next() == "didReceive pushed false")
      let row = try #require(try await stand.observer.delivered(app: CenterStand.app).first)
      #expect(row.words["url"] == .text("https://example.org") && row.words["sound"] == .text("bell"))
      #expect(row.words["level"] == .text("timeSensitive") && row.words["thread"] == .text("chat"))
      let delivered = try #require(await stand.center.deliveredNotifications().first)
      #expect(delivered.request.trigger is UNPushNotificationTrigger && delivered.request.content.body == "Changed")
      #expect(delivered.request.content.userInfo["page"] as? Int == 7)
      // The delegate is asked about what the extension made of it.
      #expect(try await delegate.presented.next().request.content.body == "Changed")
      #expect(calls.waiting.isEmpty)
    }
  }

  @Test func `A push is shown as it came without an extension, and if that spoils it or leaves it alone`() async throws
  {
    try await CenterStand.run { stand in
      let calls = Inbox<String>()
      stand.center.serviceExtension = { UNNotificationServiceExtension() }
      try await Self.announce(stand)
      try await Self.push(stand, as: "alone")
      #expect(try await stand.shown("alone").body == "Original")
      stand.center.serviceExtension = { Spoiling() }
      try await Self.push(stand, as: "spoiled")
      #expect(try await stand.shown("spoiled").body == "Original")
      stand.center.serviceExtension = { Changing(.withoutText, calls) }
      try await Self.push(stand, as: "empty")
      #expect(try await stand.shown("empty").body == "Original")
      stand.center.serviceExtension = nil
      try await Self.announce(stand)
      try await Self.push(stand, as: "none")
      #expect(try await stand.shown("none").body == "Original")
      #expect(try await calls.next(1) == ["didReceive empty false"] && calls.waiting.isEmpty)
    }
  }

  @Test func `What an extension hands back after its time is not shown`() async throws {
    try await CenterStand.run { stand in
      let calls = Inbox<String>()
      stand.center.serviceExtension = { Changing(.never, calls) }
      try await Self.announce(stand)
      let original = try NotificationRequest(app: AppID(CenterStand.app), id: "late", title: "Message") {
        $0.body = "Original"
      }
      await stand.center.requests.change(PushedRequest(id: "late", request: original, limit: .milliseconds(20)))
      #expect(try await calls.next(2) == ["didReceive late false", "will expire"])
      stand.center.serviceExtension = { Changing(.atTheEnd, calls) }
      await stand.center.requests.change(PushedRequest(id: "end", request: original, limit: .seconds(2)))
      // It has the last eleventh of the time to be submitted.
      #expect(try await stand.shown("end").body == "In time")
      #expect(stand.server.posted.waiting.isEmpty)
    }
  }

  private final class Spoiling: UNNotificationServiceExtension {
    override func didReceive(
      _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
      let content = UNMutableNotificationContent()
      content.title = "Spoiled"
      content.userInfo = ["object": Spoiling()]
      contentHandler(content)
    }
  }

  @Test func `A request that an extension has spoiled is an error`() async throws {
    try await CenterStand.run { stand in
      stand.center.serviceExtension = { Spoiling() }
      let error = await #expect(throws: UNError.self) { try await stand.center.add(Self.message()) }
      #expect(error?.code == .notificationInvalidNoContent)
    }
  }
}

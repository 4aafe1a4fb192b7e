// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
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

  @Test func `A request that an extension has spoiled is an error`() async throws {
    final class Spoiling: UNNotificationServiceExtension {
      override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
      ) {
        let content = UNMutableNotificationContent()
        content.title = "Spoiled"
        content.userInfo = ["object": Spoiling()]
        contentHandler(content)
      }
    }
    try await CenterStand.run { stand in
      stand.center.serviceExtension = { Spoiling() }
      let error = await #expect(throws: UNError.self) { try await stand.center.add(Self.message()) }
      #expect(error?.code == .notificationInvalidNoContent)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import CenterClient
import Foundation
import NotificationModel
import Synchronization
import TestSupport
import Testing

@testable import UserNotifications

/// Tests what a delegate gets of the user's clicks, with the real center.
@Suite(.onOwnThread, .timeLimit(.minutes(5))) struct ResponseTests {
  private static func prepare(_ stand: CenterStand, _ options: UNNotificationCategoryOptions = []) {
    stand.center.setNotificationCategories([CenterTests.category(options)])
  }

  @Test func `An async delegate gets the action, and the notification as it was given`() async throws {
    try await CenterStand.run { stand in
      let delegate = NotingDelegate()
      stand.center.delegate = delegate
      Self.prepare(stand)
      let content = try CenterTests.full(in: stand.session.folder)
      let posted = try await stand.show { $0.adopt(content) }
      try await stand.server.emit(ScriptedServer.activationToken(posted.number, "raise-me"))
      try await stand.server.press(posted.number, "more")
      let response = try await delegate.responses.next()
      #expect(response.actionIdentifier == "more" && response.activationToken == "raise-me")
      let request = response.notification.request
      #expect(request.identifier == "tea" && request.content.title == "Tea" && request.trigger == nil)
      #expect(request.content.userInfo["kind"] as? String == "green")
      #expect(request.content.categoryIdentifier == "tea" && request.content.subtitle == "Green")
      #expect(try await stand.outcome() == .done)
    }
  }

  @Test func `A click on the notification and a dismissal have their own identifiers`() async throws {
    try await CenterStand.run { stand in
      let delegate = NotingDelegate()
      stand.center.delegate = delegate
      Self.prepare(stand, .customDismissAction)
      let clicked = try await stand.show { $0.categoryIdentifier = "tea" }
      try await stand.server.press(clicked.number, "default")
      #expect(try await delegate.responses.next().actionIdentifier == UNNotificationDefaultActionIdentifier)
      #expect(try await stand.outcome() == .done)
      let dismissed = try await stand.show("second") { $0.categoryIdentifier = "tea" }
      try await stand.server.tellClosed(dismissed.number, reason: 2)
      let response = try await delegate.responses.next()
      #expect(response.actionIdentifier == UNNotificationDismissActionIdentifier)
      #expect(response.notification.request.identifier == "second")
      #expect(try await stand.outcome() == .done)
    }
  }

  @Test func `A typed answer arrives as a text input response`() async throws {
    try await CenterStand.run { stand in
      let delegate = NotingDelegate()
      stand.center.delegate = delegate
      Self.prepare(stand)
      try await stand.show { $0.categoryIdentifier = "tea" }
      try await stand.observer.respond(app: CenterStand.app, id: "tea", action: "answer", reply: "with milk")
      let response = try #require(try await delegate.responses.next() as? UNTextInputNotificationResponse)
      #expect(response.userText == "with milk" && response.actionIdentifier == "answer")
      #expect(try await stand.outcome() == .done)
    }
  }

  @Test func `Actions keep identifiers that mean something to the center`() async throws {
    try await CenterStand.run { stand in
      let delegate = NotingDelegate()
      stand.center.delegate = delegate
      let odd = ["default", "dismiss", "", "~x", "ü\n"]
      stand.center.setNotificationCategories([
        UNNotificationCategory(
          identifier: "odd", actions: odd.map { UNNotificationAction(identifier: $0, title: "T" + $0) },
          intentIdentifiers: [])
      ])
      let posted = try await stand.show { $0.categoryIdentifier = "odd" }
      let keys = posted.keys.filter { $0 != "default" }
      #expect(keys.count == odd.count)
      for (key, identifier) in zip(keys, odd) {
        let again = try await stand.show("again" + key) { $0.categoryIdentifier = "odd" }
        try await stand.server.press(again.number, key)
        #expect(try await delegate.responses.next().actionIdentifier == identifier)
        #expect(try await stand.outcome() == .done)
      }
    }
  }

  @Test(arguments: [(HandlerDelegate.Manner.once, true), (.twice, true), (.later, true), (.never, false)])
  func `A completion handler is called on the main thread, and its call ends the response`(
    _ manner: HandlerDelegate.Manner, isDone: Bool
  ) async throws {
    try await CenterStand.run { stand in
      let delegate = HandlerDelegate(manner)
      stand.center.delegate = delegate
      Self.prepare(stand)
      let posted = try await stand.show { $0.categoryIdentifier = "tea" }
      try await stand.server.press(posted.number, "bin")
      #expect(try await delegate.responses.next().actionIdentifier == "bin")
      let outcome = try await stand.outcome()
      #expect(
        outcome == (isDone ? .done : .failed("the app has released the completion handler without calling it")))
    }
  }

  @Test func `Responses come in the order in which the user gave them`() async throws {
    try await CenterStand.run { stand in
      let delegate = HandlerDelegate()
      stand.center.delegate = delegate
      let ids = (0..<20).map { "\($0)" }
      var numbers: [UInt32] = []
      for id in ids { numbers.append(try await stand.show(id).number) }
      for number in numbers { try await stand.server.press(number, "default") }
      let responses = try await delegate.responses.next(ids.count)
      #expect(responses.map(\.notification.request.identifier) == ids)
    }
  }

  @Test func `A response waits for a delegate that is set late, and for the next one`() async throws {
    try await CenterStand.run { stand in
      Self.prepare(stand)
      let early = try await stand.show("early") { $0.categoryIdentifier = "tea" }
      try await stand.server.press(early.number, "bin")
      #expect(try await stand.outcome() == .waiting("app"))
      do {
        let delegate = NotingDelegate()
        stand.center.delegate = delegate
        #expect(try await delegate.responses.next().notification.request.identifier == "early")
        #expect(try await stand.outcome() == .done)
      }
      // It was not retained.
      #expect(stand.center.delegate == nil)
      let orphan = try await stand.show("orphan") { $0.categoryIdentifier = "tea" }
      try await stand.server.press(orphan.number, "bin")
      // The program has it when the answer to a later call is there.
      _ = await stand.center.pendingNotificationRequests()
      let next = NotingDelegate()
      stand.center.delegate = next
      #expect(try await next.responses.next().notification.request.identifier == "orphan")
      #expect(try await stand.outcome() == .done)
    }
  }

  // MARK: In front

  @Test(
    arguments: [
      (16, 1), (8 | 2, 1), (4, 1), (0, 0), (1, 0),
    ] as [(UInt, Int)])
  func `The delegate decides how a notification is shown while the program runs`(
    bits: UInt, shown: Int
  ) async throws {
    try await CenterStand.run { stand in
      let options = UNNotificationPresentationOptions(rawValue: bits)
      let delegate = NotingDelegate(options: options)
      stand.center.delegate = delegate
      // The delegate is asked from the moment on when the program is attached, which a response shows.
      try await stand.attached(delegate)
      let content = UNMutableNotificationContent()
      content.title = "Tea"
      content.badge = 4
      content.userInfo = ["n": 1]
      try await stand.center.add(UNNotificationRequest(identifier: "tea", content: content, trigger: nil))
      let notification = try await delegate.presented.next()
      #expect(notification.request.identifier == "tea" && notification.request.content.userInfo["n"] as? Int == 1)
      if shown == 1 {
        #expect(try await stand.server.posted.next().summary == "Tea")
      } else {
        _ = try await stand.events.next { if case .closed(_, "tea", .presented) = $0 { true } else { false } }
        #expect(stand.server.posted.waiting.isEmpty)
        #expect(try await stand.observer.badge(app: CenterStand.app) == (options.contains(.badge) ? 4 : 0))
      }
    }
  }

  @Test func `Notifications are shown if the delegate does not present them`() async throws {
    try await CenterStand.run { stand in
      let delegate = HandlerDelegate()
      stand.center.delegate = delegate
      let posted = try await stand.show()
      #expect(posted.summary == "Tea")
    }
  }
}

extension UNMutableNotificationContent {
  /// Takes over the values of another content.
  func adopt(_ other: UNNotificationContent) {
    let values = other.values
    guarded.withLock { $0 = values }
  }
}

extension CenterStand {
  /// Returns once the delegate of the program is asked about notifications.
  func attached(_ delegate: NotingDelegate) async throws {
    let content = UNMutableNotificationContent()
    content.title = "Probe"
    repeat {
      let id = UUID().uuidString
      try await center.add(UNNotificationRequest(identifier: id, content: content, trigger: nil))
      // Asked or shown: one of the two ends the wait.
      _ = try await events.next {
        switch $0 {
        case .delivered(_, id, _, _, _), .closed(_, id, _): true
        default: false
        }
      }
      while let _ = server.posted.waiting.first { _ = try await server.posted.next() }
    } while delegate.presented.waiting.isEmpty
    _ = try await delegate.presented.next(delegate.presented.waiting.count)
  }
}

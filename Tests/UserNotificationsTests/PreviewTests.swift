// SPDX-License-Identifier: Apache-2.0
import CenterClient
import DBus
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import UserNotifications

/// Tests hidden previews, summaries and relevance, from a content to what a server shows.
@Suite(.onOwnThread, .timeLimit(.minutes(5))) struct PreviewTests {
  private static func category(
    _ id: String, hidden: String = "", summary: String = "", _ options: UNNotificationCategoryOptions = []
  ) -> UNNotificationCategory {
    UNNotificationCategory(
      identifier: id, actions: [], intentIdentifiers: [], hiddenPreviewsBodyPlaceholder: hidden,
      categorySummaryFormat: summary, options: options)
  }

  private static func message(_ title: String, _ category: String) -> (UNMutableNotificationContent) -> Void {
    return {
      $0.title = title
      $0.subtitle = "Team"
      $0.body = "secret"
      $0.categoryIdentifier = category
      $0.threadIdentifier = "team"
    }
  }

  @Test func `Hidden previews show the placeholder, and what the options allow`() async throws {
    try await CenterStand.run { stand in
      stand.center.setNotificationCategories([
        Self.category("a", hidden: "%u messages"),
        Self.category("b", hidden: "New {count}", [.hiddenPreviewsShowTitle, .hiddenPreviewsShowSubtitle]),
        Self.category("c"),
      ])
      #expect(await stand.center.notificationSettings().showPreviewsSetting == .always)
      let open = try await stand.show("open", Self.message("Anna", "a"))
      #expect(open.summary == "Anna" && open.body.contains("secret"))
      stand.center.removeAllDeliveredNotifications()
      #expect(await stand.center.deliveredNotifications().isEmpty)
      try await stand.observer.configure(app: CenterStand.app, previews: .never)
      #expect(await stand.center.notificationSettings().showPreviewsSetting == .never)
      let hidden = try await stand.show("hidden", Self.message("Anna", "a"))
      #expect(hidden.summary == CenterStand.app && hidden.body == "1 messages", "\(hidden)")
      #expect(try await stand.show("again", Self.message("Ben", "a")).body == "2 messages")
      let titled = try await stand.show("titled", Self.message("Anna", "b"))
      #expect(titled.summary == "Anna" && titled.body == "Team\nNew {count}", "\(titled)")
      let usual = try await stand.show("usual", Self.message("Anna", "c"))
      #expect(usual.summary == CenterStand.app && usual.body == "Notification", "\(usual)")
      // The app reads its own texts.
      let delivered = await stand.center.deliveredNotifications()
      #expect(delivered.count == 4 && delivered.allSatisfy { $0.request.content.body == "secret" })
      try await stand.observer.configure(app: CenterStand.app, previews: .unlocked)
      #expect(await stand.center.notificationSettings().showPreviewsSetting == .whenAuthenticated)
      // This session is not locked.
      #expect(try await stand.show("seen", Self.message("Anna", "a")).summary == "Anna")
    }
  }

  @Test func `A digest names the most relevant first, and sums up a thread in the words of its category`() async throws
  {
    try await CenterStand.run { stand in
      stand.center.setNotificationCategories([Self.category("chat", summary: "%u more messages from %@")])
      // Twelve hours away.
      let hour = (Calendar.current.component(.hour, from: Date()) + 12) % 24
      try await stand.observer.configure(
        app: CenterStand.app, delivery: DeliveryTimes(["\(hour):00"]), away: .show)
      func add(_ id: String, _ fill: (UNMutableNotificationContent) -> Void) async throws {
        let content = UNMutableNotificationContent()
        content.title = id
        content.interruptionLevel = .passive
        fill(content)
        try await stand.center.add(UNNotificationRequest(identifier: id, content: content, trigger: nil))
      }
      for (id, name, count, score) in [
        ("Lunch?", "Anna", 1, 0.1), ("At 12", "Ben", 2, 0.1), ("Yes", "Anna", 0, 0.4), ("Urgent", "Carl", 1, 7),
      ] as [(String, String, Int, Double)] {
        try await add(id) {
          $0.categoryIdentifier = "chat"
          $0.threadIdentifier = "team"
          $0.summaryArgument = name
          $0.summaryArgumentCount = count
          $0.relevanceScore = score
        }
      }
      try await add("News") { $0.relevanceScore = 0.5 }
      try await add("Other") { _ in }
      try await stand.observer.configure(app: CenterStand.app, delivery: nil, away: .show)
      let digest = try await stand.server.posted.next()
      #expect(digest.summary == "6 notifications")
      #expect(digest.body == "Urgent\n4 more messages from Anna and Ben\nNews\nOther")
    }
  }

  @Test(
    arguments: [
      ("%u more messages from %@", "{count} more messages from {names}"), ("%1$u of %2$@", "{count} of {names}"),
      ("%d, %lu, %lld, %i", "{count}, {count}, {count}, {count}"), ("100%% %", "100% %"),
      ("{x} {{y}} {", "{{x}} {{{y}}} {"),
      ("a\0b", "ab"),
    ])
  func `Formats of apps become those of the center`(format: String, text: String) {
    #expect(SummaryFormat(ofApp: format, hasNames: true, in: "c")?.text == text)
  }

  @Test func `A format is not taken if it is empty or too long, and a placeholder without names has none`() {
    #expect(SummaryFormat(ofApp: "", hasNames: true, in: "c") == nil)
    #expect(SummaryFormat(ofApp: String(repeating: "long", count: 500), hasNames: true, in: "c") == nil)
    #expect(SummaryFormat(ofApp: "%u from %@", hasNames: false, in: "c")?.filled(count: 2) == "2 from ")
    #expect(SummaryFormat(ofApp: "{x} {{y}}", hasNames: true, in: "c")?.filled(count: 2) == "{x} {{y}}")
  }
}

// SPDX-License-Identifier: Apache-2.0
import CenterClient
import DBus
import Foundation
import NotificationModel
import RunningApp
import TestSupport
import Testing

@testable import UserNotifications

/// Tests requests in Apple's shape with the real center: what comes to the screen, and what comes back.
@Suite(.onOwnThread, .timeLimit(.minutes(5))) struct CenterTests {
  static let actions = [
    UNNotificationAction(identifier: "more", title: "More", options: .foreground),
    UNNotificationAction(identifier: "bin", title: "Pour away", options: [.destructive]),
    UNTextInputNotificationAction(
      identifier: "answer", title: "Answer", textInputButtonTitle: "Send", textInputPlaceholder: "With milk?"),
  ]

  static func category(_ options: UNNotificationCategoryOptions = []) -> UNNotificationCategory {
    UNNotificationCategory(
      identifier: "tea", actions: actions, intentIdentifiers: ["brew"], hiddenPreviewsBodyPlaceholder: "A drink",
      categorySummaryFormat: "%u more cups", options: options)
  }

  /// A content with everything that one can have.
  static func full(in folder: TemporaryFolder) throws -> UNMutableNotificationContent {
    let content = UNMutableNotificationContent()
    content.title = "Tea"
    content.subtitle = "Green"
    content.body = "Steeped for 4 minutes"
    content.badge = 3
    content.sound = UNNotificationSound(named: UNNotificationSoundName("kettle"))
    content.launchImageName = "cup"
    content.userInfo = [
      "kind": "green", "cups": 2, "warm": true, "degrees": 80.5, "leaf": Data([1, 2, 3]),
      "picked": Date(timeIntervalSinceReferenceDate: 7), "notes": ["a", 1, ["deep": [["deeper": ["x": [1]]]]]],
      "big": UInt64.max, "nul": "a\0b",
    ]
    content.categoryIdentifier = "tea"
    content.threadIdentifier = "kitchen"
    content.targetContentIdentifier = "pot"
    content.interruptionLevel = .timeSensitive
    content.relevanceScore = 0.75
    content.filterCriteria = "drinks"
    content.summaryArgument = "cups"
    content.summaryArgumentCount = 4
    let image = URL(fileURLWithPath: try folder.write("png", to: "cup.png"))
    let sound = URL(fileURLWithPath: try folder.write("wav", to: "kettle.wav"))
    content.attachments = [
      try UNNotificationAttachment(identifier: "sound", url: sound),
      try UNNotificationAttachment(
        identifier: "image", url: image, options: [UNNotificationAttachmentOptionsThumbnailTimeKey: 2]),
    ]
    return content
  }

  // MARK: What comes back

  @Test func `Everything that was given comes back, in another process of the app, too`() async throws {
    try await CenterStand.run { stand in
      stand.center.setNotificationCategories([Self.category(.customDismissAction)])
      let given = UNNotificationRequest(
        identifier: "tea", content: try Self.full(in: stand.session.folder),
        trigger: UNCalendarNotificationTrigger(
          dateMatching: DateComponents(timeZone: TimeZone(identifier: "Europe/Paris"), hour: 7, minute: 30, weekday: 2),
          repeats: true))
      try await stand.center.add(given)
      let program = CenterStand.program(stand.session)
      let other = UNUserNotificationCenter(program)
      for center in [stand.center, other] {
        let pending = try #require(await center.pendingNotificationRequests().first)
        #expect(pending.identifier == "tea" && pending.trigger == given.trigger)
        let content = pending.content
        #expect(content.attachments.map(\.identifier) == ["sound", "image"])
        #expect(content.attachments.allSatisfy { FileManager.default.fileExists(atPath: $0.url.path) })
        // The files are copies in the data of the app.
        let compared = try #require(content.mutableCopy() as? UNMutableNotificationContent)
        compared.attachments = given.content.attachments
        #expect(compared == given.content)
        #expect(content.userInfo["cups"] as? Double == 2 && content.userInfo["cups"] as? Int == 2)
        #expect(content.userInfo["leaf"] as? Data == Data([1, 2, 3]))
        let next = try #require((pending.trigger as? UNCalendarNotificationTrigger)?.nextTriggerDate())
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Paris"))
        #expect(
          calendar.dateComponents([.weekday, .hour, .minute], from: next)
            == DateComponents(hour: 7, minute: 30, weekday: 2))
        #expect(await center.notificationCategories() == [Self.category(.customDismissAction)])
      }
      await program.close()
    }
  }

  @Test func `The screen shows texts, picture, sound, urgency and all buttons`() async throws {
    try await CenterStand.run { stand in
      stand.center.setNotificationCategories([Self.category()])
      let content = try Self.full(in: stand.session.folder)
      try await stand.center.add(UNNotificationRequest(identifier: "tea", content: content, trigger: nil))
      let posted = try await stand.shown("tea")
      #expect(posted.summary == "Tea" && posted.body.contains("Green") && posted.body.contains("Steeped"))
      #expect(posted.actions.filter { ["More", "⚠ Pour away", "Answer"].contains($0) }.count == 3, "\(posted.actions)")
      #expect(posted.hints["image-path"]?.string?.hasSuffix("1-cup.png") == true, "\(posted.hints)")
      #expect(posted.hints["sound-name"]?.string == "kettle")
      #expect(posted.hints["desktop-entry"]?.string == CenterStand.app)
      let silent = try await stand.show("silent")
      #expect(silent.hints["suppress-sound"] != nil)
    }
  }

  @Test func `A request replaces the pending one with its identifier`() async throws {
    try await CenterStand.run { stand in
      let content = UNMutableNotificationContent()
      for (title, seconds) in [("Old", 600.0), ("New", 900)] {
        content.title = title
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)
        try await stand.center.add(UNNotificationRequest(identifier: "tea", content: content, trigger: trigger))
      }
      let pending = await stand.center.pendingNotificationRequests()
      #expect(pending.map(\.content.title) == ["New"])
      let trigger = try #require(pending.first?.trigger as? UNTimeIntervalNotificationTrigger)
      #expect(trigger.timeInterval == 900 && !trigger.repeats)
      let seconds = try #require(trigger.nextTriggerDate()).timeIntervalSinceNow
      #expect(880...901 ~= seconds)
    }
  }

  @Test func `Removing touches only what was named, and only requests of the app`() async throws {
    try await CenterStand.run { stand in
      try await stand.observer.notify(
        NotificationRequest(app: "org.example.Coffee", id: "theirs", title: "Coffee", schedule: .in(.seconds(600))))
      let content = UNMutableNotificationContent()
      content.title = "Tea"
      let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 600, repeats: false)
      for id in ["a", "b", "c", "", "dev.suzu.x", "é\u{7}", String(repeating: "long", count: 100)] {
        try await stand.center.add(UNNotificationRequest(identifier: id, content: content, trigger: trigger))
      }
      stand.center.removePendingNotificationRequests(withIdentifiers: [])
      stand.center.removePendingNotificationRequests(withIdentifiers: ["a", "dev.suzu.x", "unknown"])
      let left = await stand.center.pendingNotificationRequests().map(\.identifier)
      #expect(Set(left) == ["b", "c", "", "é\u{7}", String(repeating: "long", count: 100)])
      stand.center.removePendingNotificationRequests(withIdentifiers: ["", "é\u{7}"])
      #expect(await stand.center.pendingNotificationRequests().count == 3)
      stand.center.removeAllPendingNotificationRequests()
      #expect(await stand.center.pendingNotificationRequests().isEmpty)
      #expect(try await stand.observer.pending(app: "org.example.Coffee").map(\.id) == ["theirs"])
    }
  }

  @Test func `Delivered notifications are listed and removed`() async throws {
    try await CenterStand.run { stand in
      try await stand.show("a") { $0.userInfo = ["n": 1] }
      try await stand.show("b")
      let delivered = await stand.center.deliveredNotifications()
      #expect(delivered.map(\.request.identifier) == ["b", "a"])
      #expect(delivered.last?.request.content.userInfo["n"] as? Int == 1)
      let date = try #require(delivered.first?.date)
      #expect(abs(date.timeIntervalSinceNow) < 60)
      stand.center.removeDeliveredNotifications(withIdentifiers: [])
      stand.center.removeDeliveredNotifications(withIdentifiers: ["a"])
      #expect(await stand.center.deliveredNotifications().map(\.request.identifier) == ["b"])
      stand.center.removeAllDeliveredNotifications()
      #expect(await stand.center.deliveredNotifications().isEmpty)
    }
  }

  @Test func `Categories that come later count for pending requests`() async throws {
    try await CenterStand.run { stand in
      let content = UNMutableNotificationContent()
      content.title = "Tea"
      content.categoryIdentifier = "tea"
      let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 600, repeats: false)
      try await stand.center.add(UNNotificationRequest(identifier: "tea", content: content, trigger: trigger))
      let before = try await stand.observer.pending(app: CenterStand.app).first?.request()
      #expect(before?.content.actions.isEmpty == true && before?.content.category == nil)
      stand.center.setNotificationCategories([Self.category()])
      _ = await stand.center.notificationCategories()
      let after = try await stand.observer.pending(app: CenterStand.app).first?.request()
      #expect(after?.content.actions.map(\.id) == ["more", "bin", "answer"] && after?.content.category == "tea")
      #expect(after?.schedule == before?.schedule)
      #expect(await stand.center.pendingNotificationRequests().first?.content == content)
    }
  }

  @Test func `Requests of other programs are listed, and texts that the command has edited`() async throws {
    try await CenterStand.run { stand in
      try await stand.observer.notify(
        NotificationRequest(
          app: AppID(CenterStand.app), id: "native", title: "Native",
          schedule: .repeating(.match(["hour": 7, "minute": 30]), zone: "UTC")
        ) { $0.userInfo = ["n": .integer(3)] })
      let content = UNMutableNotificationContent()
      content.title = "Tea"
      content.body = "Green"
      let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true)
      try await stand.center.add(UNNotificationRequest(identifier: "tea", content: content, trigger: trigger))
      let edited = try stand.session.suzu("edit", "tea", "Tea", "Black", "--app", CenterStand.app)
      #expect(edited.status == 0, "\(edited.errors)")
      let pending = await stand.center.pendingNotificationRequests()
      let native = try #require(pending.first { $0.identifier == "native" })
      #expect(native.content.title == "Native" && native.content.userInfo["n"] as? Int == 3)
      let daily = try #require(native.trigger as? UNCalendarNotificationTrigger)
      #expect(daily.repeats && daily.dateComponents.hour == 7 && daily.dateComponents.minute == 30)
      let tea = try #require(pending.first { $0.identifier == "tea" })
      #expect(tea.content.body == "Black" && tea.content.title == "Tea" && tea.trigger == trigger)
    }
  }

  // MARK: The permission and the badge

  @Test func `The settings follow what was asked and what the user decided`() async throws {
    try await CenterStand.run { stand in
      #expect(await stand.center.notificationSettings().authorizationStatus == .notDetermined)
      #expect(try await stand.center.requestAuthorization(options: [.alert, .sound, .badge]))
      let settings = await stand.center.notificationSettings()
      #expect(settings.authorizationStatus == .authorized && settings.alertSetting == .enabled)
      #expect(settings.soundSetting == .enabled && settings.carPlaySetting == .notSupported)
      #expect(settings.alertStyle == .banner)
      try await stand.observer.allow(app: CenterStand.app, [])
      #expect(await stand.center.notificationSettings().authorizationStatus == .denied)
      #expect(try await stand.center.requestAuthorization(options: [.alert]) == false)
      let error = await #expect(throws: UNError.self) { try await stand.show() }
      #expect(error?.code == .notificationsNotAllowed)
      let badge = await #expect(throws: UNError.self) { try await stand.center.setBadgeCount(1) }
      #expect(badge?.code == .notificationsNotAllowed)
    }
  }

  @Test func `The badge is set, kept and removed`() async throws {
    try await CenterStand.run { stand in
      try await stand.center.setBadgeCount(5)
      #expect(try await stand.observer.badge(app: CenterStand.app) == 5)
      try await stand.show { $0.badge = 7 }
      #expect(try await stand.observer.badge(app: CenterStand.app) == 7)
      try await stand.center.setBadgeCount(0)
      #expect(try await stand.observer.badge(app: CenterStand.app) == 0)
      let error = await #expect(throws: UNError.self) { try await stand.center.setBadgeCount(-1) }
      #expect(error?.code == .badgeInputInvalid)
    }
  }
}

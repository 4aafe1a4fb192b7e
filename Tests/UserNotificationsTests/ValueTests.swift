// SPDX-License-Identifier: Apache-2.0
import CoreLocation
import Foundation
import NotificationModel
import RunningApp
import TestSupport
import Testing

@testable import UIKit
@testable import UserNotifications

/// Tests the values: copies, equality, archives, and errors.
@Suite struct ValueTests {
  private static func archived<Value: NSObject & NSSecureCoding>(_ value: Value) throws -> Value {
    let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data))
  }

  private static func content() throws -> UNMutableNotificationContent {
    try CenterTests.full(in: TemporaryFolder())
  }

  // A negative number in an archive, which may come from elsewhere, ended the app.
  @Test func `A number in an archive that cannot be is left out`() throws {
    let kept = KeptValues(["identifier": "a", "options": -1, "interruptionLevel": -1, "repeatInterval": Int.min])
    #expect(UNNotificationAction.action(kept: kept)?.options == [])
    #expect(UNNotificationCategory(kept: kept).options == [])
    #expect(ContentValues(kept: kept).interruptionLevel == .active)
    #expect(UILocalNotification(kept: kept.values).repeatInterval.rawValue == 0)
    let action = UNNotificationAction(identifier: "a", title: "A", options: .init(rawValue: .max))
    #expect(try Self.archived(action).identifier == "a")
  }

  @Test func `Archived values are equal`() throws {
    let content = try Self.content()
    #expect(try Self.archived(content) == content)
    let circle = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 3, identifier: "c")
    circle.notifyOnExit = false
    let triggers: [UNNotificationTrigger] = [
      UNTimeIntervalNotificationTrigger(timeInterval: 1.5, repeats: false),
      UNCalendarNotificationTrigger(
        dateMatching: DateComponents(
          calendar: Calendar(identifier: .iso8601), timeZone: TimeZone(identifier: "Asia/Tokyo"), hour: 7),
        repeats: true),
      UNLocationNotificationTrigger(region: circle, repeats: true),
      UNLocationNotificationTrigger(
        region: CLBeaconRegion(uuid: UUID(), major: 1, minor: 2, identifier: "b"), repeats: false),
    ]
    for trigger in triggers {
      let request = UNNotificationRequest(identifier: "r", content: content, trigger: trigger)
      let read = try Self.archived(request)
      #expect(read == request && read.trigger == trigger && read.trigger !== trigger, "\(trigger)")
      let notification = UNNotification(date: Date(timeIntervalSinceReferenceDate: 5), request: request)
      let response = UNTextInputNotificationResponse(
        notification: notification, actionIdentifier: "a", userText: "text")
      #expect(try Self.archived(response) == response)
    }
    for other in triggers { #expect(triggers.filter { $0 == other }.count == 1) }
    #expect(try Self.archived(CenterTests.category(.customDismissAction)) == CenterTests.category(.customDismissAction))
    #expect(CenterTests.category() != CenterTests.category(.customDismissAction))
    #expect(
      try Self.archived(UNNotificationSound.defaultCriticalSound(withAudioVolume: 0.5))
        == .defaultCriticalSound(withAudioVolume: 0.5))
  }

  @Test func `A request copies its content, and a mutable copy is another one`() throws {
    let content = try Self.content()
    let request = UNNotificationRequest(identifier: "r", content: content, trigger: nil)
    content.title = "Changed"
    content.userInfo["new"] = 1
    #expect(request.content.title == "Tea" && request.content.userInfo["new"] == nil)
    #expect(!(request.content is UNMutableNotificationContent))
    let copy = try #require(request.content.mutableCopy() as? UNMutableNotificationContent)
    copy.body = "Other"
    #expect(request.content.body != "Other" && copy != request.content)
    #expect(request.content.copy() as? UNNotificationContent === request.content)
    #expect(UNNotificationContent() == UNMutableNotificationContent())
  }

  @Test func `Contents differ in each of their values`() throws {
    let changes: [(UNMutableNotificationContent) -> Void] = [
      { $0.title = "x" }, { $0.subtitle = "x" }, { $0.body = "x" }, { $0.badge = 9 }, { $0.sound = nil },
      { $0.attachments = [] }, { $0.launchImageName = "x" }, { $0.userInfo["x"] = 1 }, { $0.categoryIdentifier = "x" },
      { $0.threadIdentifier = "x" }, { $0.targetContentIdentifier = nil }, { $0.interruptionLevel = .passive },
      { $0.relevanceScore = 0 }, { $0.filterCriteria = nil }, { $0.summaryArgument = "x" },
      { $0.summaryArgumentCount = 9 },
    ]
    let folder = try TemporaryFolder()
    for (index, change) in changes.enumerated() {
      let (one, other) = (try CenterTests.full(in: folder), try CenterTests.full(in: folder))
      #expect(one == other)
      change(other)
      #expect(one != other, "\(index)")
    }
  }

  // MARK: Errors

  @Test func `Errors are compared, caught and converted as at Apple`() throws {
    let error: any Error = UNError(.notificationsNotAllowed, "why")
    #expect((error as NSError).domain == UNErrorDomain && (error as NSError).code == 1)
    #expect(error.localizedDescription == "why")
    #expect((error as? UNError)?.code == .notificationsNotAllowed)
    do { throw error } catch UNError.notificationsNotAllowed {} catch { Issue.record("not caught by its code") }
    #expect(UNError(.attachmentCorrupt).code.rawValue == 105)
    // One that an app or its tests have made.
    let made: any Error = NSError(domain: UNErrorDomain, code: UNError.Code.badgeInputInvalid.rawValue)
    #expect((made as? UNError)?.code == .badgeInputInvalid)
    do { throw made } catch UNError.badgeInputInvalid {} catch { Issue.record("not caught by its code") }
    let other: any Error = NSError(domain: kCLErrorDomain, code: CLError.Code.denied.rawValue)
    #expect(other as? UNError == nil && (other as? CLError)?.code == .denied)
  }

  /// A class, which no property list holds.
  private final class Leaf {}

  @Test func `A value that cannot be kept is named`() throws {
    let cases: [([AnyHashable: Any], String)] = [
      (["a": ["b": [1, Leaf()]]], "userInfo[\"a\"][\"b\"][1] is a Leaf"),
      (["url": URL(fileURLWithPath: "/")], "userInfo[\"url\"] is a URL"), ([7: "seven"], "userInfo has the key 7"),
      (["id": UUID()], "userInfo[\"id\"] is a UUID"),
    ]
    for (userInfo, text) in cases {
      let content = UNMutableNotificationContent()
      content.title = "Tea"
      content.userInfo = userInfo
      let request = UNNotificationRequest(identifier: "r", content: content, trigger: nil)
      let error = #expect(throws: UNError.self) {
        try SentRequest(request: request, category: nil, app: "org.example.Tea").made()
      }
      #expect(error?.code == .notificationInvalidNoContent)
      #expect(error?.localizedDescription.contains(text) == true, "\(error?.localizedDescription ?? "")")
      let older = UILocalNotification()
      older.alertBody = "Tea"
      older.userInfo = userInfo
      let made = try older.request()
      let same = #expect(throws: UNError.self) {
        try SentRequest(request: made, category: nil, app: "org.example.Tea").made()
      }
      #expect(same?.localizedDescription.contains(text) == true, "\(same?.localizedDescription ?? "")")
    }
  }

  @Test func `A null and a nil come back as a null, and other programs do not see them`() throws {
    let content = UNMutableNotificationContent()
    content.title = "Tea"
    content.userInfo = [
      "none": Int?.none as Any, "null": NSNull(), "list": [NSNull(), 1], "deep": ["null": NSNull(), "n": 2],
      "some": Int?.some(3) as Any, "empty": [String: String](), "wide": CGFloat(1.5),
    ]
    let request = UNNotificationRequest(identifier: "r", content: content, trigger: nil)
    let read = try Self.archived(request).content.userInfo
    #expect(read["none"] is NSNull && read["null"] is NSNull && read["some"] as? Int == 3)
    #expect(read["wide"] as? Double == 1.5)
    #expect((read["list"] as? [Any])?.first is NSNull && (read["list"] as? [Any])?.last as? Int == 1)
    let deep = read["deep"] as? [String: Any]
    #expect(deep?["null"] is NSNull && deep?["n"] as? Int == 2 && (read["empty"] as? [String: Any])?.isEmpty == true)
    let sent = try SentRequest(request: request, category: nil, app: "org.example.Tea").made().content.userInfo
    #expect(sent["null"] == nil && sent["none"] == nil && sent["some"] == .integer(3))
  }

  @Test func `A content without any text shows the name of the app, and an empty one is refused`() throws {
    func made(_ fill: (UNMutableNotificationContent) -> Void) throws -> NotificationRequest {
      let content = UNMutableNotificationContent()
      fill(content)
      let request = UNNotificationRequest(identifier: "r", content: content, trigger: nil)
      return try SentRequest(request: request, category: nil, app: "org.example.Tea").made()
    }
    #expect(try made { $0.badge = 3 }.content.title == "org.example.Tea")
    #expect(try made { $0.subtitle = "S" }.content.title == "S")
    #expect(try made { $0.body = "B" }.content.title == "")
    #expect(try made { $0.title = "a\0b" }.content.title == "ab")
    let error = #expect(throws: UNError.self) { try made { _ in } }
    #expect(error?.code == .notificationInvalidNoContent)
    let badge = #expect(throws: UNError.self) { try made { $0.badge = -1 } }
    #expect(badge?.code == .badgeInputInvalid)
  }

  // MARK: Attachments

  @Test func `Attachments are checked`() throws {
    let folder = try TemporaryFolder()
    func error(_ url: URL, _ options: [AnyHashable: Any]? = nil) -> UNError.Code? {
      do {
        _ = try UNNotificationAttachment(identifier: "", url: url, options: options)
        return nil
      } catch { return (error as? UNError)?.code }
    }
    let web = try #require(URL(string: "https://example.org/a.png"))
    #expect(error(web) == .attachmentInvalidURL)
    #expect(error(URL(fileURLWithPath: folder.path("missing.png"))) == .attachmentInvalidURL)
    #expect(error(URL(fileURLWithPath: folder.path(""))) == .attachmentInvalidURL)
    let odd = URL(fileURLWithPath: try folder.write("x", to: "file.odd"))
    #expect(error(odd) == .attachmentUnrecognizedType)
    #expect(error(odd, [UNNotificationAttachmentOptionsTypeHintKey: "public.png"]) == nil)
    let large = URL(fileURLWithPath: try folder.write(String(repeating: "x", count: 5_000_001), to: "large.wav"))
    #expect(error(large) == .attachmentInvalidFileSize)
    let small = try UNNotificationAttachment(
      identifier: "", url: URL(fileURLWithPath: try folder.write("x", to: "a.JPG")))
    #expect(small.type == "public.jpeg" && !small.identifier.isEmpty)
  }

  @Test(
    arguments: [
      ("%@ of %@", ["a", 2], "a of 2"), ("%2$@ %1$@", ["a", "b"], "b a"), ("100 %% %d", [5], "100 % 5"),
      ("%03ld|%.1f", [7, 2.25], "007|2.2"), ("%@ %@", ["a"], "a "), ("%", ["a"], "%"), ("%@", ["%@"], "%@"),
    ] as [(String, [any Sendable], String)])
  func `A localized text is filled`(_ key: String, _ arguments: [any Sendable], _ text: String) {
    #expect(NSString.localizedUserNotificationString(forKey: key, arguments: arguments) == text)
  }

  // MARK: Identifiers

  @Test(arguments: ["a", "é", "", "~a", "default", "dismiss", "dev.suzu.a", "a\nb", String(repeating: "é", count: 60)])
  func `Identifiers come back`(_ identifier: String) throws {
    let text = SentIdentifier.text(identifier)
    #expect(SentIdentifier.identifier(text) == identifier)
    _ = try RequestID(text)
    #expect(!text.hasPrefix("dev.suzu."))
  }

  @Test func `Long identifiers stay different`() throws {
    let long = (0..<100).map { String(repeating: "x", count: 300) + "\($0)" }
    let texts = Set(long.map(SentIdentifier.text))
    #expect(texts.count == 100)
    for text in texts { _ = try RequestID(text) }
  }

  // MARK: The app

  @Test func `The identifier of the app can be set once, before it is used`() throws {
    let identity = AppIdentity()
    identity.choose("org.example.Zero")
    identity.choose("not\nvalid")
    identity.choose("org.example.First")
    #expect(identity.id == "org.example.First")
    identity.choose("org.example.Second")
    #expect(identity.id == "org.example.First")
  }
}

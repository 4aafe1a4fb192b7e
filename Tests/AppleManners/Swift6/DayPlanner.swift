// SPDX-License-Identifier: Apache-2.0
import Foundation
import UserNotifications

// The manner of a planner of today: an actor, `async let`, detached tasks and task groups, a generic builder with key
// paths, a result builder for categories, and typed errors. Swift 6.

extension UNAuthorizationStatus {
  fileprivate var text: String {
    switch self {
    case .notDetermined: "not determined"
    case .denied: "denied"
    case .authorized: "authorized"
    case .provisional: "provisional"
    case .ephemeral: "ephemeral"
    @unknown default: "unknown"
    }
  }
}

/// Sets properties of any object in a chain.
@dynamicMemberLookup public struct Building<Object: AnyObject> {
  public let object: Object

  public init(_ object: Object) { self.object = object }

  public subscript<Value>(dynamicMember path: ReferenceWritableKeyPath<Object, Value>) -> (Value) -> Building {
    { value in
      object[keyPath: path] = value
      return self
    }
  }
}

@resultBuilder public enum CategoryBuilder {
  public static func buildExpression(_ action: UNNotificationAction) -> [UNNotificationAction] { [action] }
  public static func buildBlock(_ actions: [UNNotificationAction]...) -> [UNNotificationAction] {
    actions.flatMap { $0 }
  }
  public static func buildOptional(_ actions: [UNNotificationAction]?) -> [UNNotificationAction] { actions ?? [] }
  public static func buildArray(_ actions: [[UNNotificationAction]]) -> [UNNotificationAction] {
    actions.flatMap { $0 }
  }
}

extension UNNotificationCategory {
  public convenience init(
    _ identifier: some RawRepresentable<String>, @CategoryBuilder actions: () -> [UNNotificationAction]
  ) {
    self.init(
      identifier: identifier.rawValue, actions: actions(), intentIdentifiers: [], options: [.customDismissAction])
  }
}

/// A value that the content of a notification carries.
public protocol NotificationCarrying: Codable, Sendable {
  static var kind: String { get }
}

public struct Carried<Value: NotificationCarrying>: Sendable {
  public let value: Value
  public let request: UNNotificationRequest

  public init?(_ request: UNNotificationRequest) {
    guard request.content.userInfo["kind"] as? String == Value.kind,
      let data = request.content.userInfo["value"] as? Data,
      let value = try? PropertyListDecoder().decode(Value.self, from: data)
    else { return nil }
    (self.value, self.request) = (value, request)
  }
}

public struct Slot: NotificationCarrying, Hashable {
  public static let kind = "slot"
  public var name: String
  public var hour: Int
  public var minute = 0
  public var days: Set<Int> = []

  public init(_ name: String, at hour: Int, _ minute: Int = 0, on days: Set<Int> = []) {
    (self.name, self.hour, self.minute, self.days) = (name, hour, minute, days)
  }
}

public enum PlannerError: Error, Equatable {
  case notAllowed(UNAuthorizationStatus)
  case inThePast(String)
  case center(UNError.Code)
}

public struct PlannerOverview: Sendable, Equatable {
  public var status: String
  public var pending: [String]
  public var delivered: [String]
  public var categories: [String]
  public var next: Date?
}

public actor DayPlanner {
  public enum Category: String, CaseIterable {
    case slot = "SLOT"
    case review = "REVIEW"
  }

  public static let shared = DayPlanner()
  private let center: UNUserNotificationCenter
  private var tasks: [Slot: Task<Int, any Error>] = [:]

  public init(center: UNUserNotificationCenter = .current()) { self.center = center }

  public func prepare() async throws(PlannerError) {
    let center = center
    let granted = await Task.detached(priority: .utility) {
      try? await center.requestAuthorization(options: [.alert, .badge, .sound, .providesAppNotificationSettings])
    }.value
    guard granted == true else {
      throw .notAllowed(await center.notificationSettings().authorizationStatus)
    }
    center.setNotificationCategories([
      UNNotificationCategory(Category.slot) {
        UNNotificationAction(identifier: "start", title: "Start", options: [.foreground])
        for minutes in [5, 15] {
          UNNotificationAction(identifier: "later.\(minutes)", title: "In \(minutes) Minutes")
        }
      },
      UNNotificationCategory(Category.review) {
        UNTextInputNotificationAction(
          identifier: "note", title: "Note", textInputButtonTitle: "Save", textInputPlaceholder: "How was it?")
      },
    ])
  }

  /// Adds the requests of a slot, all at once; a second call for the same slot waits for the first.
  public func plan(_ slot: Slot) async throws -> Int {
    if let task = tasks[slot] { return try await task.value }
    let task = Task { try await add(Self.requests(for: slot)) }
    tasks[slot] = task
    defer { tasks[slot] = nil }
    return try await task.value
  }

  private func add(_ requests: [UNNotificationRequest]) async throws -> Int {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for request in requests {
        guard let trigger = request.trigger as? UNCalendarNotificationTrigger, trigger.nextTriggerDate() != nil else {
          throw PlannerError.inThePast(request.identifier)
        }
        group.addTask { [center] in
          do { try await center.add(request) } catch let error as UNError { throw PlannerError.center(error.code) }
        }
      }
      try await group.waitForAll()
      return requests.count
    }
  }

  private static func requests(for slot: Slot) throws -> [UNNotificationRequest] {
    let value = try PropertyListEncoder().encode(slot)
    let days: [Int?] = slot.days.isEmpty ? [nil] : slot.days.sorted()
    return days.map { day in
      let content = Building(UNMutableNotificationContent())
        .title(slot.name)
        .categoryIdentifier(Category.slot.rawValue)
        .threadIdentifier(Slot.kind)
        .interruptionLevel(.timeSensitive)
        .relevanceScore(0.5)
        .userInfo(["kind": Slot.kind, "value": value])
        .object
      return UNNotificationRequest(
        identifier: [Slot.kind, slot.name, day.map(String.init)].compactMap { $0 }.joined(separator: "."),
        content: content,
        trigger: UNCalendarNotificationTrigger(
          dateMatching: DateComponents(hour: slot.hour, minute: slot.minute, weekday: day), repeats: true))
    }
  }

  /// Shows a slot now.
  public func show(_ slot: Slot) async throws {
    guard let content = try Self.requests(for: slot).first?.content else { return }
    try await center.add(UNNotificationRequest(identifier: "now", content: content, trigger: nil))
  }

  public func overview() async -> PlannerOverview {
    async let settings = center.notificationSettings()
    async let pending = center.pendingNotificationRequests()
    async let delivered = center.deliveredNotifications()
    async let categories = center.notificationCategories()
    let slots = await pending.compactMap(Carried<Slot>.init)
    return await PlannerOverview(
      status: settings.authorizationStatus.text, pending: slots.map(\.value.name).sorted(),
      delivered: delivered.map(\.request).map(\.identifier).sorted(),
      categories: categories.map(\.identifier).sorted(),
      next: slots.compactMap { ($0.request.trigger as? UNCalendarNotificationTrigger)?.nextTriggerDate() }.min())
  }

  public func clear() {
    center.removeAllPendingNotificationRequests()
    center.removeAllDeliveredNotifications()
  }
}

/// The delegate on the main actor.
@MainActor public final class PlannerScreen: NSObject, @preconcurrency UNUserNotificationCenterDelegate {
  public private(set) var chosen: [(slot: Slot, action: String)] = []

  public override init() {
    super.init()
    UNUserNotificationCenter.current().delegate = self
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    defer { completionHandler() }
    guard let carried = Carried<Slot>(response.notification.request) else { return }
    chosen.append((carried.value, response.actionIdentifier))
    NotificationCenter.default.post(
      name: .init("manner"), object: "\(carried.value.name) \(response.actionIdentifier) \(chosen.count)")
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) { completionHandler([.banner, .list]) }
}

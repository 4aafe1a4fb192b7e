// SPDX-License-Identifier: Apache-2.0
import Foundation
import Observation
import UserNotifications

// The manner of MVVM in Swift 6: values that are Sendable, a protocol that the center conforms to, an observed model on
// the main actor, an actor as the delegate's owner, task groups, and typed errors.

public struct Medication: Sendable, Identifiable, Hashable, Codable {
  public let id: UUID
  public var name: String
  public var doses: [DateComponents]
  public var weekdays: Set<Int>

  public init(name: String, doses: [DateComponents], weekdays: Set<Int> = []) {
    self.id = UUID()
    self.name = name
    self.doses = doses
    self.weekdays = weekdays
  }
}

public enum SchedulingError: Error, Equatable {
  case notAllowed
  case invalid(UNError.Code)
}

public protocol NotificationCenterType: Sendable {
  func requestAuthorization(options: UNAuthorizationOptions) async throws -> Bool
  func notificationSettings() async -> UNNotificationSettings
  func add(_ request: UNNotificationRequest) async throws
  func pendingNotificationRequests() async -> [UNNotificationRequest]
  func removePendingNotificationRequests(withIdentifiers identifiers: [String])
  func setNotificationCategories(_ categories: Set<UNNotificationCategory>)
  func setBadgeCount(_ newBadgeCount: Int) async throws
}

extension UNUserNotificationCenter: NotificationCenterType {}

public actor MedicationScheduler {
  private let center: any NotificationCenterType

  public init(center: some NotificationCenterType = UNUserNotificationCenter.current()) { self.center = center }

  public func prepare() async throws(SchedulingError) {
    let isAllowed: Bool
    do {
      isAllowed = try await center.requestAuthorization(options: [.alert, .sound, .badge])
    } catch {
      isAllowed = false
    }
    guard isAllowed else { throw .notAllowed }
    let taken = UNNotificationAction(
      identifier: Choice.taken.rawValue, title: "Taken", options: [.authenticationRequired],
      icon: .init(systemImageName: "checkmark.circle.fill"))
    let skipped = UNNotificationAction(
      identifier: Choice.skipped.rawValue, title: "Skip", options: .destructive,
      icon: .init(systemImageName: "xmark"))
    center.setNotificationCategories([
      .init(
        identifier: "dose", actions: [taken, skipped], intentIdentifiers: [],
        hiddenPreviewsBodyPlaceholder: "Time for your medicine", categorySummaryFormat: "%u more doses of %@",
        options: [.customDismissAction, .hiddenPreviewsShowSubtitle])
    ])
  }

  /// Adds all requests at once, and returns how many there are.
  @discardableResult
  public func schedule(_ medications: [Medication]) async throws(SchedulingError) -> Int {
    do {
      return try await withThrowingTaskGroup(of: Int.self) { group in
        for medication in medications {
          for request in Self.requests(for: medication) {
            group.addTask { [center] in
              try await center.add(request)
              return 1
            }
          }
        }
        var count = 0
        for try await added in group { count += added }
        return count
      }
    } catch let error as UNError {
      throw .invalid(error.code)
    } catch {
      throw .notAllowed
    }
  }

  public func pending() async -> [String: Date] {
    await center.pendingNotificationRequests().reduce(into: [:]) { dates, request in
      dates[request.identifier] = (request.trigger as? UNCalendarNotificationTrigger)?.nextTriggerDate()
    }
  }

  public func cancel(_ medication: Medication) async {
    let ids = await center.pendingNotificationRequests().map(\.identifier).filter {
      $0.hasPrefix(medication.id.uuidString)
    }
    center.removePendingNotificationRequests(withIdentifiers: ids)
  }

  nonisolated static func requests(for medication: Medication) -> [UNNotificationRequest] {
    let days: [Int?] = medication.weekdays.isEmpty ? [nil] : medication.weekdays.sorted()
    return medication.doses.enumerated().flatMap { index, dose in
      days.map { day in
        let content = UNMutableNotificationContent()
        content.title = medication.name
        content.subtitle = "Dose \(index + 1)"
        content.body = NSString.localizedUserNotificationString(forKey: "Take %@ now", arguments: [medication.name])
        content.categoryIdentifier = "dose"
        content.threadIdentifier = medication.id.uuidString
        content.interruptionLevel = .timeSensitive
        content.sound = .defaultCriticalSound(withAudioVolume: 0.5)
        content.userInfo["medication"] = medication.id.uuidString
        content.userInfo["dose"] = index
        var components = dose
        components.weekday = day
        let suffix = day.map { "-\($0)" } ?? ""
        return UNNotificationRequest(
          identifier: "\(medication.id)-\(index)\(suffix)", content: content,
          trigger: UNCalendarNotificationTrigger(dateMatching: components, repeats: true))
      }
    }
  }

  public enum Choice: String, Sendable, CaseIterable {
    case taken, skipped
  }
}

@MainActor @Observable
public final class MedicationViewModel {
  public private(set) var medications: [Medication] = []
  public private(set) var log: [String] = []
  public private(set) var error: SchedulingError?
  @ObservationIgnored private let scheduler: MedicationScheduler
  @ObservationIgnored private lazy var delegate = Delegate { [weak self] line in
    await self?.append(line)
  }

  public init(scheduler: MedicationScheduler = MedicationScheduler()) { self.scheduler = scheduler }

  public func onAppear() async {
    UNUserNotificationCenter.current().delegate = delegate
    do throws(SchedulingError) {
      try await scheduler.prepare()
    } catch {
      self.error = error
    }
  }

  public func add(_ medication: Medication) async -> Int {
    medications.append(medication)
    do {
      return try await scheduler.schedule([medication])
    } catch {
      self.error = error
      return 0
    }
  }

  /// Shows a dose now.
  public func test(_ medication: Medication) async throws {
    guard let request = MedicationScheduler.requests(for: medication).first else { return }
    try await UNUserNotificationCenter.current().add(
      UNNotificationRequest(identifier: "test", content: request.content, trigger: nil))
  }

  private func append(_ line: String) {
    log.append(line)
    NotificationCenter.default.post(name: .init("manner"), object: line)
  }

  private final class Delegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
    private let report: @Sendable (String) async -> Void

    init(report: @escaping @Sendable (String) async -> Void) { self.report = report }

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
      let content = response.notification.request.content
      let choice = MedicationScheduler.Choice(rawValue: response.actionIdentifier)
      await report("\(content.title) \(content.userInfo["dose"] ?? "-") \(choice.map { "\($0)" } ?? "opened")")
    }

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
      notification.request.content.interruptionLevel == .timeSensitive ? [.banner, .list, .sound] : []
    }
  }
}

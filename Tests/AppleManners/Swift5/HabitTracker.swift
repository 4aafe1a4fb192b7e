// SPDX-License-Identifier: Apache-2.0
import Foundation
import UserNotifications

// The manner of a habit tracker: a loop that schedules days ahead within Apple's limit of 64, dispatch groups and
// queues, groups by thread, badges, and extensions of the types. Swift 5.

public struct Habit: Codable, Hashable {
  public var id: UUID
  public var name: String
  public var times: [DateComponents]

  public init(name: String, times: [DateComponents]) {
    self.id = UUID()
    self.name = name
    self.times = times
  }
}

public final class HabitNotifications: NSObject {
  public static let limit = 64
  private lazy var center: UNUserNotificationCenter = .current()
  private let queue = DispatchQueue(label: "habits", qos: .utility)

  public func reschedule(
    _ habits: [Habit], from start: Date = Date(), calendar: Calendar = .current, completion: (() -> Void)? = nil
  ) {
    queue.async { [center] in
      center.removeAllPendingNotificationRequests()
      let group = DispatchGroup()
      var scheduled = 0
      outer: for offset in 0..<60 {
        guard let day = calendar.date(byAdding: .day, value: offset, to: start) else { continue }
        for habit in habits {
          for time in habit.times {
            guard scheduled < HabitNotifications.limit else { break outer }
            var components = calendar.dateComponents([.year, .month, .day], from: day)
            components.hour = time.hour
            components.minute = time.minute
            guard let date = calendar.date(from: components), date > Date() else { continue }
            let content = UNMutableNotificationContent()
            content.title = habit.name
            content.body = String(format: NSLocalizedString("Time for habit %d", comment: ""), scheduled)
            content.sound = UNNotificationSound(named: UNNotificationSoundName("chime.caf"))
            content.threadIdentifier = habit.id.uuidString
            content.userInfo = ["habit": habit.id.uuidString, "day": offset]
            content.badge = NSNumber(value: scheduled + 1)
            let request = UNNotificationRequest(
              identifier: "\(habit.id)-\(ISO8601DateFormatter().string(from: date))", content: content,
              trigger: UNCalendarNotificationTrigger(dateMatching: components, repeats: false))
            group.enter()
            center.add(
              request,
              withCompletionHandler: { (error: Error?) in
                if let error = error { print(error.localizedDescription) }
                group.leave()
              })
            scheduled += 1
          }
        }
      }
      group.notify(queue: .main) { completion?() }
    }
  }

  /// Removes what is shown of a habit, and returns how many there were.
  public func clear(_ habit: Habit, completion: @escaping (Int) -> Void) {
    center.getDeliveredNotifications { notifications in
      let grouped = Dictionary(grouping: notifications, by: { $0.request.content.threadIdentifier })
      let identifiers = (grouped[habit.id.uuidString] ?? []).sorted { $0.date < $1.date }.map(\.request.identifier)
      self.center.removeDeliveredNotifications(withIdentifiers: identifiers)
      if #available(iOS 16.0, macOS 13.0, *) {
        self.center.setBadgeCount(max(0, notifications.count - identifiers.count)) { _ in completion(identifiers.count)
        }
      } else {
        completion(identifiers.count)
      }
    }
  }

  public func remind(_ habit: Habit) {
    let content = UNMutableNotificationContent()
    content.title = habit.name
    content.threadIdentifier = habit.id.uuidString
    center.add(.init(identifier: UUID().uuidString, content: content, trigger: nil))
  }

  public func next(completion: @escaping (Int, Date?) -> Void) {
    center.getPendingNotificationRequests { requests in
      completion(requests.count, requests.compactMap(\.fireDate).min())
    }
  }
}

extension UNNotificationRequest {
  public var fireDate: Date? {
    switch trigger {
    case let trigger as UNCalendarNotificationTrigger: return trigger.nextTriggerDate()
    case let trigger as UNTimeIntervalNotificationTrigger: return trigger.nextTriggerDate()
    case is UNPushNotificationTrigger, nil: return nil
    default: return nil
    }
  }
}

extension UNNotificationRequest: Identifiable {
  public var id: String { identifier }
}

extension UNNotificationInterruptionLevel: Codable {}

extension UNAuthorizationStatus: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notDetermined: return "not determined"
    case .denied: return "denied"
    case .authorized: return "authorized"
    case .provisional: return "provisional"
    case .ephemeral: return "ephemeral"
    @unknown default: return "unknown"
    }
  }
}

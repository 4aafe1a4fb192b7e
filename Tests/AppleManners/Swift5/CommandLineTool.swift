// SPDX-License-Identifier: Apache-2.0
import Foundation
import UserNotifications

// The manner of a tool: it waits with semaphores for handlers, and changes local variables in them.

public struct ReminderTool {
  public init() {}

  public func run() -> [String] {
    var lines: [String] = []
    let center = UNUserNotificationCenter.current()
    let semaphore = DispatchSemaphore(value: 0)

    var allowed = false
    center.requestAuthorization(options: [.alert, .sound]) { granted, error in
      allowed = granted
      if let error = error { lines.append("error \(error)") }
      semaphore.signal()
    }
    semaphore.wait()
    lines.append("allowed \(allowed)")

    let content = UNMutableNotificationContent()
    content.title = "Hello"
    content.body = "from a tool"
    content.userInfo = ["date": Date(timeIntervalSince1970: 0)]
    let request = UNNotificationRequest(
      identifier: "tool", content: content,
      trigger: UNTimeIntervalNotificationTrigger(timeInterval: 3600, repeats: true))
    center.add(request) { error in
      if let error = error as? UNError, error.code == .notificationsNotAllowed { lines.append("not allowed") }
      semaphore.signal()
    }
    semaphore.wait()

    center.getPendingNotificationRequests { requests in
      for request in requests {
        let date = request.content.userInfo["date"] as? Date
        lines.append("\(request.identifier) \(request.trigger?.repeats ?? false) \(date?.timeIntervalSince1970 ?? -1)")
      }
      semaphore.signal()
    }
    semaphore.wait()

    center.getNotificationSettings { settings in
      switch settings.authorizationStatus {
      case .authorized, .provisional, .ephemeral: lines.append("authorized")
      case .denied: lines.append("denied")
      case .notDetermined: lines.append("not determined")
      @unknown default: lines.append("unknown")
      }
      semaphore.signal()
    }
    semaphore.wait()

    center.removePendingNotificationRequests(withIdentifiers: ["tool"])
    var count = -1
    center.getPendingNotificationRequests {
      count = $0.count
      semaphore.signal()
    }
    _ = semaphore.wait(timeout: .now() + 10)
    lines.append("left \(count)")
    return lines
  }
}

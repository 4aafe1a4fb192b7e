// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import Synchronization

/// A notification that was, or is about to be, delivered.
open class UNNotification: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // @unchecked: the properties are constants or guarded.

  private let own: (date: Date, request: UNNotificationRequest)

  /// When it was delivered.
  open var date: Date { own.date }
  /// The request that it came from.
  open var request: UNNotificationRequest { own.request }
  /// Whether the delegate has no method for notifications that come while the app is in front.
  let isNotPresented = Atomic(false)

  init(date: Date, request: UNNotificationRequest) {
    own = (date, request)
    super.init()
  }

  /// Decodes a notification.
  public required init?(coder: NSCoder) {
    let date = coder.value(NSDate.self, "date").map {
      Date(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate)
    }
    let request = coder.value(UNNotificationRequest.self, "request")
    guard coder.isOfTest || date != nil && request != nil else { return nil }
    own = (
      date ?? Date(), request ?? UNNotificationRequest(identifier: "", content: UNNotificationContent(), trigger: nil)
    )
    super.init()
  }

  /// Notifications can be archived.
  open class var supportsSecureCoding: Bool { true }
  /// Archives the notification.
  open func encode(with coder: NSCoder) {
    coder.encode(NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate), forKey: "date")
    coder.encode(request, forKey: "request")
  }
  /// Returns the notification itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
  /// Whether both come from equal requests and were delivered at the same time.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotification else { return false }
    return other.date == date && other.request.isEqual(request)
  }
  /// The hash of its date.
  open override var hash: Int { date.hashValue }
}

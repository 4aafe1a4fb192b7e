// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import Synchronization

/// A notification that was, or is about to be, delivered.
open class UNNotification: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // @unchecked: the properties are constants or guarded.

  /// When it was delivered.
  public let date: Date
  /// The request that it came from.
  public let request: UNNotificationRequest
  /// Whether the delegate has no method for notifications that come while the app is in front.
  let isNotPresented = Atomic(false)

  init(date: Date, request: UNNotificationRequest) {
    self.date = date
    self.request = request
    super.init()
  }

  /// Decodes a notification.
  public required init?(coder: NSCoder) {
    guard let date = coder.decodeObject(of: NSDate.self, forKey: "date"),
      let request = coder.decodeObject(of: UNNotificationRequest.self, forKey: "request")
    else { return nil }
    self.date = Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
    self.request = request
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

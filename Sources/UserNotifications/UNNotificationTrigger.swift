// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// When a notification is delivered; the superclass of all triggers.
open class UNNotificationTrigger: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // @unchecked: all properties of all triggers are constants. Theirs are not all marked as Sendable.

  /// Whether it fires again after the first time.
  open var repeats: Bool { doesRepeat }
  private let doesRepeat: Bool
  /// The next date that the center told, for a trigger of a pending request.
  let toldDate: Date?

  init(repeats: Bool, toldDate: Date? = nil) {
    doesRepeat = repeats
    self.toldDate = toldDate
    super.init()
  }

  /// Decodes a trigger; each class decodes its own form.
  public required init?(coder: NSCoder) {
    doesRepeat = KeptValues(coder)?["repeats"] == true
    toldDate = nil
    super.init()
  }

  /// What distinguishes it from other triggers of its class.
  var kept: KeptValues { KeptValues(["repeats": repeats]) }

  /// Triggers can be archived.
  open class var supportsSecureCoding: Bool { true }
  /// Archives the trigger.
  open func encode(with coder: NSCoder) { kept.encode(with: coder) }
  /// Returns the trigger itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
  /// Whether both are of one class and fire at the same times.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationTrigger else { return false }
    return type(of: other) == type(of: self) && other.kept == kept
  }
  /// The hash of its values.
  open override var hash: Int { kept.hashValue }
}

/// The trigger of a notification that came as a push: by `suzu push`, or from a link to another machine.
open class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  // @unchecked: it has no property of its own.
}

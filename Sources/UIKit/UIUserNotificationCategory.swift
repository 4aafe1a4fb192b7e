// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import RunningApp

/// Where the actions of a category are shown.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum UIUserNotificationActionContext: UInt, Sendable {
  /// Where there is room for four.
  case `default`
  /// Where there is room for two.
  case minimal
}

/// A named set of actions. ``UIMutableUserNotificationCategory`` makes one.
open class UIUserNotificationCategory: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
  // @unchecked: all values are behind the lock.
  struct Values: @unchecked Sendable {
    var identifier: String?
    var actions: [UIUserNotificationActionContext: [UIUserNotificationAction]] = [:]
  }

  let guarded: Guarded<Values>

  /// Creates a category without actions.
  public override init() {
    guarded = Guarded(Values())
    super.init()
  }

  init(_ values: Values) {
    guarded = Guarded(values)
    super.init()
  }

  var values: Values { guarded.withLock { $0 } }

  /// The name that notifications use.
  open var identifier: String? { values.identifier }
  /// The actions in a context; those of the default context if it has none of its own.
  open func actions(for context: UIUserNotificationActionContext) -> [UIUserNotificationAction]? {
    values.actions[context] ?? values.actions[.default].map { Array($0.prefix(context == .minimal ? 2 : 4)) }
  }

  /// Returns an immutable copy.
  open func copy(with zone: NSZone? = nil) -> Any { UIUserNotificationCategory(values) }
  /// Returns a mutable copy.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { UIMutableUserNotificationCategory(values) }
  /// Whether both have the same name and actions.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = (object as? UIUserNotificationCategory)?.values else { return false }
    return other.identifier == values.identifier && other.actions == values.actions
  }
  /// The hash of the name.
  open override var hash: Int { identifier.hashValue }
}

/// A category that can be changed until it is registered.
open class UIMutableUserNotificationCategory: UIUserNotificationCategory, @unchecked Sendable {
  // @unchecked: it has no property of its own; those of its superclass are behind the lock.
  /// Creates a category without actions.
  public override init() { super.init() }
  override init(_ values: Values) { super.init(values) }

  /// The name that notifications use.
  open override var identifier: String? {
    get { values.identifier }
    set { guarded.withLock { $0.identifier = newValue } }
  }

  /// Sets the actions in a context.
  open func setActions(_ actions: [UIUserNotificationAction]?, for context: UIUserNotificationActionContext) {
    let copies = actions?.compactMap { $0.copy() as? UIUserNotificationAction }
    guarded.withLock { $0.actions[context] = copies }
  }
}

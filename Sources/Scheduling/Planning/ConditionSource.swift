// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// Reports that conditions have become true, as ``TimeSource`` does for dates; there is one for each kind of condition.
///
/// It is used on one thread, which also runs its callback. A condition is armed once, however many requests wait for it,
/// and disarmed when none does any more. After a start it is armed again: a source that knows its state then finds what
/// happened in the meantime.
public protocol ConditionSource: AnyObject {
  /// The condition of this source that a request waits for; nil if there is none.
  func condition(of request: NotificationRequest) -> Condition?
  /// Calls ``whenMet`` each time that the condition becomes true, until it is disarmed.
  func arm(_ condition: Condition)
  /// Stops observing a condition.
  func disarm(_ condition: Condition)
  /// Called when an armed condition has become true; also inside of ``arm(_:)``.
  var whenMet: (Condition) -> Void { get set }
}

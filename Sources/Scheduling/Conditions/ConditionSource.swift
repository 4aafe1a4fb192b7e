// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// Observes the subjects of conditions, as ``TimeSource`` does for dates; there is one for each kind of subject.
///
/// It is used on one thread, which also runs its callback. It reports what it sees, and nothing more: which change
/// counts, how long it must last and how often it may come is decided in one place, ``ArmedRequest``. A subject is
/// watched once, however many requests wait for it, and not any more when none does. Nothing may poll.
public protocol ConditionSource: AnyObject {
  /// Whether this source observes such a subject.
  func observes(_ subject: Condition.Subject) -> Bool
  /// A subject was true when the center ran last; called before ``watch(_:)``.
  func expect(_ subject: Condition.Subject)
  /// Calls ``whenObserved`` with the state as soon as it is known, and with each change, until ``unwatch(_:)``.
  func watch(_ subject: Condition.Subject)
  /// Stops watching a subject.
  func unwatch(_ subject: Condition.Subject)
  /// Finds out what ``refusal(of:)`` has to know of a subject that it observes; takes a second at most.
  func prepare(_ subject: Condition.Subject) async
  /// Why a request for a subject that it observes cannot be accepted now, in a few words; nil if it can.
  func refusal(of subject: Condition.Subject) -> String?
  /// Called with each observation of a watched subject; also inside of ``watch(_:)``.
  var whenObserved: (Condition.Subject, Observation) -> Void { get set }
}

extension ConditionSource {
  /// Accepts every subject that it observes.
  public func refusal(of subject: Condition.Subject) -> String? { nil }
  /// Knows enough.
  public func prepare(_ subject: Condition.Subject) async {}
  /// What was true before does not matter to a source that reads the state.
  public func expect(_ subject: Condition.Subject) {}
}

/// What a source sees.
public enum Observation: Hashable, Sendable {
  /// A state is true or false; `event` has the details.
  case holds(Bool, event: EventDetails = [:])
  /// A measured value: the charge of the battery in percent.
  case level(Double, event: EventDetails = [:])
  /// The distance to the centre of a circle in metres, and how accurate it is.
  case distance(Double, radius: Double, accuracy: Double, event: EventDetails = [:])
  /// Something that is no state happened.
  case happened(event: EventDetails = [:])
  /// Nothing is known at present, for this reason.
  case unknown(String)
}

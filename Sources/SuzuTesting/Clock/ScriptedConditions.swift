// SPDX-License-Identifier: Apache-2.0
package import NotificationModel
package import Scheduling

/// The subjects of conditions, whose states a test sets.
package final class ScriptedConditions: ConditionSource {
  package var whenObserved: (Condition.Subject, Observation) -> Void = { _, _ in }
  /// The calls, in order.
  private var calls: [String] = []
  private var states: [String: Observation] = [:]
  private var watched: Set<Condition.Subject> = []
  private let isObserved: (Condition.Subject) -> Bool

  /// Observes every subject, or those that the test chooses.
  package init(observing isObserved: @escaping (Condition.Subject) -> Bool = { _ in true }) {
    self.isObserved = isObserved
  }

  package func observes(_ subject: Condition.Subject) -> Bool { isObserved(subject) }

  package func watch(_ subject: Condition.Subject) {
    calls.append("watch \(subject.text)")
    watched.insert(subject)
    if let state = states[subject.text] { whenObserved(subject, state) }
  }

  package func unwatch(_ subject: Condition.Subject) {
    calls.append("unwatch \(subject.text)")
    watched.remove(subject)
  }

  /// The calls since the last time.
  package func takeCalls() -> [String] {
    defer { calls = [] }
    return calls
  }

  /// The state of a subject is this from now on.
  package func set(_ subject: Condition.Subject, _ observation: Observation) {
    if case .happened = observation {} else { states[subject.text] = observation }
    if watched.contains(subject) { whenObserved(subject, observation) }
  }

  /// The same for a subject as a text.
  package func set(_ subject: String, _ observation: Observation) throws(RequestError) {
    set(try Condition(subject).subject, observation)
  }

  /// A state is true or false from now on.
  package func set(_ subject: String, _ holds: Bool) throws(RequestError) { try set(subject, .holds(holds)) }
}

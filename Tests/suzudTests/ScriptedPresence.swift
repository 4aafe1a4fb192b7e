// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Scheduling
import TestSupport

@testable import suzud

/// A source of the conditions `unlocked` and `idle` whose states a test sets.
final class ScriptedPresence: ConditionSource, @unchecked Sendable {
  // @unchecked: its center uses it on its loop, and so does `tell`.
  var whenObserved: (Condition.Subject, Observation) -> Void = { _, _ in }
  /// What it waits for before a request for a condition is accepted or refused.
  var asks: () async -> Void = {}
  /// What the center begins (+) and ends (-) to watch.
  let watched = Inbox<String>()

  func observes(_ subject: Condition.Subject) -> Bool {
    if case .idle = subject { true } else { subject == .unlocked }
  }

  func prepare(_ subject: Condition.Subject) async { await asks() }

  func watch(_ subject: Condition.Subject) { watched.put("+" + subject.text) }

  func unwatch(_ subject: Condition.Subject) { watched.put("-" + subject.text) }
}

extension CenterService {
  /// The source tells the states of the lock and of the input.
  func tell(_ presence: ScriptedPresence, isLocked: Bool? = nil, isIdle: Bool? = nil) {
    if let isLocked { presence.whenObserved(.unlocked, .holds(!isLocked)) }
    if let isIdle { presence.whenObserved(.idle(.seconds(300)), .holds(isIdle)) }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// The beacons that were near when something looked for them last. A new search knows nothing of them, and finds a
/// beacon only with its next advertisement: until then, it is not taken for gone.
final class NearBeacons {
  /// Receives what is known of a beacon.
  var tell: (Condition.Subject, Observation) -> Void = { _, _ in }
  private let loop: EventLoop
  /// How long a beacon may be silent before it is gone.
  private let absence: Duration
  private var near: Set<Condition.Subject> = []
  /// Those that a new search has not found yet, and when they count as gone.
  private var awaited: [Condition.Subject: EventLoop.Deadline] = [:]

  init(on loop: EventLoop, absence: Duration) {
    self.loop = loop
    self.absence = absence
  }

  /// The beacon was near in an earlier run of the center.
  func expect(_ subject: Condition.Subject) { near.insert(subject) }

  /// Something begins to look for the beacon.
  func begin(_ subject: Condition.Subject) {
    guard near.contains(subject) else { return tell(subject, .holds(false)) }
    tell(subject, .unknown("it was near, and has not been found again yet"))
    awaited[subject]?.cancel()
    awaited[subject] = loop.schedule(after: absence) { [weak self] in self?.observed(subject, .holds(false)) }
  }

  func observed(_ subject: Condition.Subject, _ observation: Observation) {
    // A silence tells nothing while nothing is known.
    awaited.removeValue(forKey: subject)?.cancel()
    if case .holds(let isNear, _) = observation {
      if isNear { near.insert(subject) } else { near.remove(subject) }
    }
    tell(subject, observation)
  }

  /// Nothing looks for beacons any more.
  func pause() {
    for deadline in awaited.values { deadline.cancel() }
    awaited = [:]
  }

  func forget(_ subject: Condition.Subject) {
    near.remove(subject)
    awaited.removeValue(forKey: subject)?.cancel()
  }
}

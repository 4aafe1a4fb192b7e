// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// Whether a subject is true, from what its source measures. A value on the edge does not change it back and forth.
struct StateReading {
  let subject: Condition.Subject
  /// The last state; nil if it is not known yet.
  private(set) var holds: Bool?

  /// How far a charge must go back, in percent, before it counts as changed back.
  static let batteryMargin = 2.0
  /// How far a position must be from the edge of a circle, in metres, at least.
  static let placeMargin = 25.0

  /// - Parameter holds: the state in an earlier run of the center.
  init(_ subject: Condition.Subject, holds: Bool?) {
    self.subject = subject
    self.holds = holds
  }

  /// Returns the state after an observation; nil if it does not tell.
  mutating func read(_ observation: Observation) -> Bool? {
    let state: Bool?
    switch observation {
    case .holds(let holds, _): state = holds
    case .level(let value, _): state = read(level: value)
    case .distance(let metres, let radius, let accuracy, _): state = read(metres, radius, accuracy)
    case .happened, .unknown: state = nil
    }
    if let state { holds = state }
    return state
  }

  private func read(level: Double) -> Bool? {
    guard case .battery(let battery) = subject else { return nil }
    let margin = holds == true ? Self.batteryMargin : 0
    return switch battery {
    case .below(let percent): level < Double(percent) + margin
    case .above(let percent): level > Double(percent) - margin
    }
  }

  private func read(_ distance: Double, _ radius: Double, _ accuracy: Double) -> Bool? {
    // On the edge, the position may be on either side: the state stays. A receiver may call a position that jitters
    // exact.
    let margin = max(accuracy, min(Self.placeMargin, radius / 5))
    if distance + margin < radius { return true }
    if distance - margin > radius { return false }
    return holds ?? (distance < radius)
  }
}

extension Observation {
  /// The details, for `{event.KEY}`.
  var event: EventDetails {
    switch self {
    case .holds(_, let event), .level(_, let event), .distance(_, _, _, let event), .happened(let event): event
    case .unknown: [:]
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// Whether a subject is true, from what its source measures. A value on the edge does not change it back and forth.
struct StateReading {
  let subject: Condition.Subject
  /// The last state; nil if it is not known yet.
  private(set) var holds: Bool?

  /// How far a charge must go back, in percent, before it counts as changed back.
  static let batteryMargin = 2.0

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
    case .distance(let metres, let accuracy, _): state = read(distance: metres, accuracy: accuracy)
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

  private func read(distance: Double, accuracy: Double) -> Bool? {
    guard case .place(.circle(_, _, let radius)) = subject else { return nil }
    // On the edge, the position may be on either side: the state stays.
    if distance + accuracy < radius { return true }
    if distance - accuracy > radius { return false }
    return holds ?? (distance < radius)
  }
}

extension Observation {
  /// The details, for `{event.KEY}`.
  var event: [String: String] {
    switch self {
    case .holds(_, let event), .level(_, let event), .distance(_, _, let event), .happened(let event, _): event
    case .unknown: [:]
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling
internal import Triggers

/// A change of quiet hours that a caller wishes, carried out as a whole or not at all.
struct QuietChange {
  enum Turn: Equatable {
    case on
    /// In seconds since 1970.
    case until(Int64)
    case off
  }

  var turn: Turn?
  /// Times to add, which have been checked.
  var added: [String] = []
  var removed: [String] = []
  /// What is shown during quiet hours; `.some(nil)` resets it.
  var limit: QuietLimit??
  var followsDesktop: Bool?
  var comesOneByOne: Bool?

  /// The quiet hours with this change.
  ///
  /// - Parameter hoursUntil: the end of the hours that contain this moment; nil if none do.
  func applied(
    to hours: QuietHours, hoursUntil: Int64?, now: Timestamp
  ) throws(CenterError) -> QuietHours {
    var hours = hours
    switch turn {
    case .on: hours.turnOn()
    case .until(let end):
      guard end * 1000 > now.milliseconds else { throw CenterError(.inThePast, "'until' has passed") }
      hours.turnOn(until: end)
    case .off: hours.turnOff(skipping: hoursUntil)
    case nil: break
    }
    for text in removed {
      guard let index = hours.hours.firstIndex(where: { $0.isIdentical(to: text) }) else {
        throw CenterError(.notFound, "there are no quiet hours '\(DisplayText.line(text))'")
      }
      hours.hours.remove(at: index)
    }
    for text in added where !hours.hours.contains(where: { $0.isIdentical(to: text) }) { hours.hours.append(text) }
    guard hours.hours.count <= QuietHours.mostHours else {
      throw CenterError(.limitExceeded, "more than \(QuietHours.mostHours) quiet hours, which is the limit")
    }
    if let limit { hours.limit = limit }
    if let followsDesktop { hours.followsDesktop = followsDesktop }
    if let comesOneByOne { hours.comesOneByOne = comesOneByOne }
    return hours
  }
}

/// Quiet hours at this moment.
struct QuietState {
  let hours: QuietHours
  /// What is shown during quiet hours.
  let limit: QuietLimit
  let causes: QuietCauses
  /// How many requests they keep.
  let held: Int
}

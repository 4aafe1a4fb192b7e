// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// Some of many requests, in the order in which they are stored. The requests themselves stay in one array, because
/// copying many of them takes as long as storing a tenth of them.
public struct BatchPart: Sendable {
  let requests: [NewRequest]
  /// The positions in the array.
  public let positions: ArraySlice<Int>

  /// The requests at these positions.
  public init(_ requests: [NewRequest], at positions: ArraySlice<Int>) {
    self.requests = requests
    self.positions = positions
  }

  /// All of the requests.
  public init(_ requests: [NewRequest]) { self.init(requests, at: Array(requests.indices)[...]) }

  /// The apps of the requests.
  var apps: Set<Identifier> {
    var apps: Set<Identifier> = []
    for position in positions { apps.insert(Identifier(requests[position].app)) }
    return apps
  }

  /// Adds the charge of each request to the charges of the apps.
  public func charge(_ charges: inout [Identifier: Account]) {
    for position in positions {
      charges[Identifier(requests[position].app), default: Account()].add(requests[position].charge)
    }
  }

  /// Whether one of the requests starts now: what is shown at once must be on disk before.
  public var startsNow: Bool { positions.contains { requests[$0].start == .now } }
}

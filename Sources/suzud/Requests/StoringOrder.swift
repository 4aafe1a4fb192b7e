// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Scheduling

/// The order in which the requests of a batch are stored: by date. The batch is stored in parts, and requests of
/// neighbouring dates are on the same pages of the index of dates, so that each part changes few of its pages.
enum StoringOrder {
  /// The number of requests that one turn of the loop sorts.
  private static let window = 20_000

  private struct Name: Hashable {
    let app, id: String

    /// Few apps use the ids of others.
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  /// The positions of the requests. Those with the same date keep their order, and so do windows with an id that
  /// occurs twice, because the later of two requests with the same id replaces the earlier one.
  static func of(_ requests: [NewRequest], on loop: EventLoop) async -> [Int] {
    var order: [Int] = []
    order.reserveCapacity(requests.count)
    for start in stride(from: 0, to: requests.count, by: window) {
      if start > 0 { await loop.nextTurn() }
      order += sorted(start..<min(start + window, requests.count), of: requests)
    }
    return order
  }

  static func sorted(_ window: Range<Int>, of requests: [NewRequest]) -> [Int] {
    var names: Set<Name> = []
    names.reserveCapacity(window.count)
    for index in window where !names.insert(Name(app: requests[index].app, id: requests[index].id)).inserted {
      return Array(window)
    }
    return window.map { (requests[$0].start.order, $0) }.sorted { $0 < $1 }.map(\.1)
  }
}

extension Start {
  /// Requests that start at once come first, in the order of the call.
  fileprivate var order: Int64 {
    switch self {
    case .now: .min
    case .at(let date, _): date.due.milliseconds
    case .armed: .max
    }
  }
}

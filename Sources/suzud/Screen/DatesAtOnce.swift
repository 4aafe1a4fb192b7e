// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// The dates of requests that are shown side by side, each under a key with its delivery: ``RequestKey/delivery``.
struct DatesAtOnce {
  /// So many dates of a request are kept before those that have left are looked for.
  private static let mostUnchecked = 64

  private var dates: [RequestKey: Set<DeliveryRecord.Number>] = [:]

  /// Whether a request has had such dates; the key is the one without a delivery.
  func has(_ base: RequestKey) -> Bool { dates[base] != nil }

  /// The keys of all dates of a request, oldest first.
  func keys(of base: RequestKey) -> [RequestKey] {
    (dates[base] ?? []).sorted().map { RequestKey(app: base.app, id: base.id, delivery: $0) }
  }

  /// Adds the key of a date; another key changes nothing.
  ///
  /// - Parameter entries: what is due or on the screen; only the dates in it are still needed.
  mutating func add(_ key: RequestKey, keeping entries: [RequestKey: Entry]) {
    guard let delivery = key.delivery else { return }
    var known = dates[key.base] ?? []
    if known.count >= Self.mostUnchecked {
      known = known.filter { entries[RequestKey(app: key.app, id: key.id, delivery: $0)] != nil }
    }
    known.insert(delivery)
    dates[key.base] = known
  }
}

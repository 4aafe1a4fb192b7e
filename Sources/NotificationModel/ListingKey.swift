// SPDX-License-Identifier: Apache-2.0

/// The keys that a listing adds to a request.
public enum ListingKey: String, CaseIterable, Sendable {
  case next, due, missedDates, state, shown, closed, reason, action, reply, outcome, snoozed
  case noticed, held, heldBy, holds, obstacle, met, folded, event, why, late, again, showings, shownCount, pushes

  /// The request in a row of a listing, so that a listing can be read back as requests; other dictionaries are returned
  /// unchanged. Only rows have a state.
  public static func request(in row: [String: PlainValue]) -> [String: PlainValue] {
    guard row[state.rawValue] != nil else { return row }
    return row.filter { ListingKey(rawValue: $0.key) == nil }
  }
}

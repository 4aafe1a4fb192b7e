// SPDX-License-Identifier: Apache-2.0

/// A check for every server: a column of the report.
struct Check: Sendable {
  /// The column's heading.
  let name: String
  /// The check's description for the report.
  let meaning: String
  /// Whether it waits for seconds; slow checks run in parallel.
  let isSlow: Bool
  /// The server's feature that it needs.
  let feature: @Sendable (Expectations) -> Expectations.Feature
  /// Runs the check on its own desktop. Returns a short remark for the report, or an empty text.
  let run: @Sendable (Desktop) throws -> String

  init(
    _ name: String, _ meaning: String, isSlow: Bool = false,
    _ feature: @escaping @Sendable (Expectations) -> Expectations.Feature,
    run: @escaping @Sendable (Desktop) throws -> String
  ) {
    self.name = name
    self.meaning = meaning
    self.isSlow = isSlow
    self.feature = feature
    self.run = run
  }

  /// All checks, in column order.
  static let all: [Check] = [
    banner, alert, text, reaching, opening, straying, dismissal, expiry, staying, critical, replacement, reply, restart,
    burst,
    crowd,
    history,
  ]
}

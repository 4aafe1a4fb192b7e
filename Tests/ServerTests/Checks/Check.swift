// SPDX-License-Identifier: Apache-2.0

/// Something that is asked of every server: a column of the report.
struct Check: Sendable {
  /// What stands above the column.
  let name: String
  /// What is asked, for those who read the report.
  let meaning: String
  /// Whether it waits for seconds: others go on beside it.
  let isSlow: Bool
  /// Whether a server has such a thing.
  let feature: @Sendable (Expectations) -> Expectations.Feature
  /// Asks, on a desktop of its own. Returns what was seen, in a few words or none, for the report.
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

  /// All of them, in the order of the columns.
  static let all: [Check] = [
    banner, alert, text, reaching, opening, dismissal, expiry, staying, critical, replacement, reply, restart, burst,
    crowd,
    history,
  ]
}

// SPDX-License-Identifier: Apache-2.0
internal import Triggers

/// The parts of a date as `--match` takes them, `weekday=2,hour=7`, where an expression is expected.
struct MatchText {
  /// Without blanks, which a shell would need quotes for.
  let text: String

  /// Returns nil if the text is something else, such as a rule.
  init?(_ text: String) {
    let parts = text.filter { $0 != " " }.split(separator: ",", omittingEmptySubsequences: false)
    let isMatch = parts.allSatisfy { part in
      let sides = part.split(separator: "=", omittingEmptySubsequences: false)
      return sides.count == 2 && Int(sides[1]) != nil && ComponentMatch.names.contains(String(sides[0]))
    }
    guard isMatch else { return nil }
    self.text = parts.joined(separator: ",")
  }
}

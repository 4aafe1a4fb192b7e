// SPDX-License-Identifier: Apache-2.0
public import Zoneinfo

extension Trigger.Occurrence {
  /// A note for users if clock changes have moved the date or repeat it.
  public func note(in rules: ZoneRules) -> String? {
    guard let wall, let shown = rules.civil(at: instant) else { return nil }
    if shown != wall {
      let time = shown.date == wall.date ? "\(shown.time)" : "\(shown.date) \(shown.time)"
      return "clocks skip \(wall.time) on \(wall.date): at \(time) instead"
    }
    return switch rules.instants(of: wall) {
    case .overlap: fold == 1 ? "the second \(wall.time) of that day" : "the first of two \(wall.time) of that day"
    case .once, .gap: nil
    }
  }
}

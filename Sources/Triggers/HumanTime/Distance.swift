// SPDX-License-Identifier: Apache-2.0

/// How far a moment is from now, in words: `in 8 h 41 min`, `3 h ago`.
package enum Distance {
  /// - Parameter seconds: until that moment; negative if it has passed.
  package static func text(_ seconds: Int64) -> String {
    if seconds == 0 { return "now" }
    // A plan counts in minutes; how long ago something was, one number says.
    let parts = units(of: seconds.magnitude).prefix(seconds > 0 ? 2 : 1).joined(separator: " ")
    return seconds > 0 ? "in " + parts : parts + " ago"
  }

  /// One or two units, the larger first.
  private static func units(of seconds: UInt64) -> [String] {
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400)
    return switch seconds {
    case ..<60: ["\(seconds) s"]
    case ..<3600: ["\(minutes) min"] + rest(seconds % 60, "s")
    case ..<86_400: ["\(hours) h"] + rest(minutes % 60, "min")
    case ..<(14 * 86_400): [counted(days, "day")] + rest(hours % 24, "h")
    // Years of the same length are exact enough for a number without months.
    case ..<(2 * 31_557_600): [counted(days, "day")]
    default: [counted(seconds / 31_557_600, "year")]
    }
  }

  private static func rest(_ number: UInt64, _ unit: String) -> [String] { number == 0 ? [] : ["\(number) \(unit)"] }

  private static func counted(_ number: UInt64, _ unit: String) -> String {
    "\(number) \(unit)\(number == 1 ? "" : "s")"
  }
}

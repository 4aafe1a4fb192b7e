// SPDX-License-Identifier: Apache-2.0
import Zoneinfo

/// Zone files, and the texts that describe a zone.
enum ZoneSurfaces {
  static let all = [Surface("zone-file", zoneFile), Surface("zone-text", text: zoneText)]

  private static let moments = [Int64.min, -62_135_596_800, -1, 0, 1_795_168_800, 4_000_000_000, 253_402_300_799, .max]
    .map(Instant.init)

  static func zoneFile(_ bytes: [UInt8]) throws(Surprise) -> Bool {
    guard let file = try? TimeZoneFile(bytes), let rules = try? ZoneRules(file) else { return false }
    try check(rules)
    return true
  }

  static func zoneText(_ text: String) throws(Surprise) -> Bool {
    guard let rules = try? ZoneRules(posix: text) else { return false }
    try check(rules)
    return true
  }

  /// Transitions are in order, and local times convert back to their instants.
  private static func check(_ rules: ZoneRules) throws(Surprise) {
    for moment in moments {
      if let transition = rules.nextTransition(after: moment) {
        try Surprise.unless(transition.instant > moment, "\(transition) is not after \(moment)")
      }
      guard let civil = rules.civil(at: moment) else { continue }
      switch rules.instants(of: civil) {
      case .once(let instant): try Surprise.unless(instant == moment, "\(civil) is at \(instant), not \(moment)")
      case .overlap(let first, let second):
        for instant in [first, second] {
          try Surprise.unless(rules.civil(at: instant) == civil, "\(civil) is not at \(instant)")
        }
        // A file can let the clocks show a time more than twice. Then these are the first two.
        try Surprise.unless(
          first < second && (first == moment || second <= moment),
          "\(civil) is at \(first) and \(second), not \(moment)")
      case .gap: throw Surprise("\(civil), the local time at \(moment), does not exist")
      }
    }
  }
}

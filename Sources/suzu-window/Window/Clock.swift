// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import WindowModel
internal import Zoneinfo

extension LocalClock {
  /// The time and the zone of this machine, as they are now; UTC if the zone cannot be read.
  @MainLoop static var current: LocalClock {
    LocalClock(now: Instant(Int64(Glibc.time(nil))), rules: LocalRules.current)
  }
}

/// The rules of the machine's zone, the same as long as its setting is.
@MainLoop private enum LocalRules {
  private static var last: (identity: [FileIdentity], rules: ZoneRules)?

  static var current: ZoneRules {
    let identity = SystemZone.current.identity()
    if let last, last.identity == identity { return last.rules }
    let rules = (try? SystemZone.current.read().zone.rules) ?? .utc
    last = (identity, rules)
    return rules
  }
}

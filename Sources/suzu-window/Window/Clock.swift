// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import WindowModel
internal import Zoneinfo

extension LocalClock {
  /// The time and the zone of this machine, as they are now; UTC if the zone cannot be read.
  static var current: LocalClock {
    LocalClock(now: Instant(Int64(Glibc.time(nil))), rules: (try? SystemZone.current.read().zone.rules) ?? .utc)
  }
}

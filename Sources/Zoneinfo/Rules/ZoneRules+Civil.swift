// SPDX-License-Identifier: Apache-2.0

extension ZoneRules {
  /// The instants at which the clocks show this date and time.
  ///
  /// All candidates lie between those for the greatest and the least offset; usually that is a single period. If the
  /// clocks ever showed it three times, the result would be the first two.
  public func instants(of civil: CivilDateTime) -> CivilInstants {
    let clock = civil.clockSeconds
    let latest = clock - leastOffset
    var period = period(at: clock - greatestOffset)
    var first: Int64?
    var gap: CivilInstants?
    while true {
      let seconds = clock - offset(of: period)
      if period.contains(seconds) {
        if let first { return .overlap(first: Instant(first), second: Instant(seconds)) }
        first = seconds
      }
      guard period.end <= latest else { break }
      let next = self.period(at: period.end)
      if first == nil, gap == nil, isSkipped(clock, between: period, and: next) {
        gap = .gap(before: offset(in: period), after: offset(in: next), transition: Instant(period.end))
      }
      period = next
    }
    if let first { return .once(Instant(first)) }
    // The clocks were behind at the earliest candidate and ahead at the latest, so they skipped it.
    return gap ?? .once(Instant(clock - offset(of: period)))
  }

  /// The instant meant by a date and time: the first of two; in a gap, with the offset before it, so 02:30 becomes
  /// 03:30 if an hour is missing ([RFC 5545](https://www.rfc-editor.org/rfc/rfc5545#section-3.3.5)).
  public func resolve(_ civil: CivilDateTime) -> Instant {
    switch instants(of: civil) {
    case .once(let instant): instant
    case .gap(let before, _, _): Instant(civil, at: before)
    case .overlap(let first, _): first
    }
  }

  private func isSkipped(_ clock: Int64, between period: Period, and next: Period) -> Bool {
    period.end + offset(of: period) <= clock && clock < period.end + offset(of: next)
  }
}

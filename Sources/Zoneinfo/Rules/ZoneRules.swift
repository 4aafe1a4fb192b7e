// SPDX-License-Identifier: Apache-2.0

/// How a place sets its clocks, at all times: what a zone's file says up to its last change, and its rule for ever after.
///
/// It is one sorted table, searched by halves: no question needs memory, a lock or anything computed in advance. The rule
/// is written into it for 400 years, after which the calendar repeats, and the rule with it.
public final class ZoneRules: Sendable {
  /// What is in force from `starts[n]` to `starts[n + 1]`; the first is the beginning of time.
  private let starts: [Int64]
  private let kinds: [UInt16]
  private let types: [LocalTimeType]
  /// Those of `types`, in seconds.
  private let offsets: [Int64]
  private let horizon: Int64
  /// The furthest west and east of UTC that the clocks ever are.
  let leastOffset, greatestOffset: Int64

  /// What a file says; a last line that is no rule is an error.
  public convenience init(_ file: TimeZoneFile) throws(ZoneError) {
    var table = Table(file.types)
    table.append(file.changes)
    if let footer = file.footer {
      do {
        table.append(try PosixRule(footer), from: file.changes.last?.seconds)
      } catch {
        throw .damaged("its rule for the future, '\(footer)', cannot be read: \(error.reason)")
      }
    }
    self.init(table)
  }

  /// A rule in the form of POSIX, `CET-1CEST,M3.5.0,M10.5.0/3`, in force at all times.
  public convenience init(posix text: String) throws(ZoneError) {
    let rule = try PosixRule(text)
    var table = Table([rule.standard])
    table.append(rule, from: nil)
    self.init(table)
  }

  /// UTC, always.
  public static let utc = ZoneRules(Table([LocalTimeType(offset: .utc, isDaylight: false, abbreviation: "UTC")]))

  private init(_ table: Table) {
    starts = table.starts
    kinds = table.kinds
    types = table.types
    horizon = table.horizon
    let offsets = table.types.map { Int64($0.offset.seconds) }
    self.offsets = offsets
    let first = offsets[Int(table.kinds[0])]
    leastOffset = table.kinds.reduce(first) { min($0, offsets[Int($1)]) }
    greatestOffset = table.kinds.reduce(first) { max($0, offsets[Int($1)]) }
  }
}

extension ZoneRules {
  /// The same number for rules under which all clocks are set alike, in every process and on every machine.
  public var digest: UInt64 {
    var digest = Digest()
    for (start, kind) in zip(starts, kinds) {
      digest.add(start)
      digest.add(offsets[Int(kind)])
      digest.add(types[Int(kind)].isDaylight ? 1 : 0)
    }
    digest.add(horizon)
    return digest.value
  }

  /// How far the clocks are ahead of UTC.
  public func offset(at instant: Instant) -> UTCOffset {
    UTCOffset(unchecked: Int(offset(of: period(at: instant.seconds))))
  }

  /// What the time is called there: `CEST`.
  public func abbreviation(at instant: Instant) -> String { type(at: instant).abbreviation }

  /// Whether daylight saving is in force.
  public func isDaylight(at instant: Instant) -> Bool { type(at: instant).isDaylight }

  /// Offset, name and daylight saving together.
  public func type(at instant: Instant) -> LocalTimeType { types[period(at: instant.seconds).kind] }

  /// What the clocks show; nil outside of the years 1 to 9999.
  public func civil(at instant: Instant) -> CivilDateTime? { instant.civil(at: offset(at: instant)) }

  /// The first change after a moment (one at that very moment has been); nil where none comes any more.
  public func nextTransition(after instant: Instant) -> Transition? {
    var period = period(at: instant.seconds)
    while period.end < .max {
      let next = self.period(at: period.end)
      // Not so at the seam, where the table begins again. It has a change in it, or it would not repeat.
      if next.kind != period.kind {
        return Transition(instant: Instant(period.end), before: types[period.kind], after: types[next.kind])
      }
      period = next
    }
    return nil
  }
}

extension ZoneRules {
  /// A stretch of time in which nothing changes. The next one begins at its end.
  struct Period {
    let start, end: Int64
    let kind: Int

    func contains(_ seconds: Int64) -> Bool { start <= seconds && seconds < end }
  }

  func offset(of period: Period) -> Int64 { offsets[period.kind] }

  func offset(in period: Period) -> UTCOffset { UTCOffset(unchecked: Int(offset(of: period))) }

  func period(at seconds: Int64) -> Period {
    if seconds < horizon || horizon == .max { return tabulated(seconds) }
    // Thousands of millions of years from now sums would overflow, and nothing changes any more.
    let farthest: Int64 = 1 << 62
    let shift = ((min(seconds, farthest) - horizon) / Table.cycle + 1) * Table.cycle
    let period = tabulated(min(seconds, farthest) - shift)
    return Period(
      start: period.start + shift, end: seconds < farthest ? period.end + shift : .max, kind: period.kind)
  }

  private func tabulated(_ seconds: Int64) -> Period {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= seconds { low = middle } else { high = middle }
    }
    return Period(start: starts[low], end: high < starts.count ? starts[high] : horizon, kind: Int(kinds[low]))
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A zone's local time at every instant: the changes of its file, followed by its rule.
///
/// One sorted table with binary search: queries need no allocation, lock or cache. The rule is expanded for 400 years,
/// after which the calendar repeats.
public final class ZoneRules: Sendable {
  /// Period n lasts from `starts[n]` to `starts[n + 1]`; the first begins at the beginning of time.
  private let starts: [Int64]
  private let kinds: [UInt16]
  private let types: [LocalTimeType]
  /// The offsets of `types`, in seconds.
  private let offsets: [Int64]
  private let horizon: Int64
  /// The least and the greatest offset that the clocks ever have.
  let leastOffset, greatestOffset: Int64

  /// Reads a file; an invalid last line is an error.
  public convenience init(_ file: TimeZoneFile) throws(ZoneError) {
    var table = Table(file.types)
    table.append(file.changes)
    if let footer = file.footer {
      do {
        table.append(try PosixRule(footer), from: file.changes.last?.seconds)
      } catch {
        throw .damaged("its footer, the rule '\(footer)', cannot be read: \(error.reason)")
      }
    }
    self.init(table)
  }

  /// A POSIX rule, `CET-1CEST,M3.5.0,M10.5.0/3`, that always applies.
  public convenience init(posix text: String) throws(ZoneError) {
    let rule = try PosixRule(text)
    var table = Table([rule.standard])
    table.append(rule, from: nil)
    self.init(table)
  }

  /// The rules of UTC.
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
  /// A hash that is equal for equal rules, in every process and on every machine.
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

  /// The offset from UTC.
  public func offset(at instant: Instant) -> UTCOffset {
    UTCOffset(unchecked: Int(offset(of: period(at: instant.seconds))))
  }

  /// The offset, name and daylight saving.
  public func type(at instant: Instant) -> LocalTimeType { types[period(at: instant.seconds).kind] }

  /// The local date and time; nil outside the years 1 to 9999.
  public func civil(at instant: Instant) -> CivilDateTime? { instant.civil(at: offset(at: instant)) }

  /// The first change strictly after an instant; nil if there is none.
  public func nextTransition(after instant: Instant) -> Transition? {
    var period = period(at: instant.seconds)
    while period.end < .max {
      let next = self.period(at: period.end)
      // The seam where the table repeats is no change. The loop ends, because a repeating table contains a change.
      if next.kind != period.kind {
        return Transition(instant: Instant(period.end), before: types[period.kind], after: types[next.kind])
      }
      period = next
    }
    return nil
  }
}

extension ZoneRules {
  /// A period without changes. The next one begins at its end.
  struct Period {
    let start, end: Int64
    let kind: Int

    func contains(_ seconds: Int64) -> Bool { start <= seconds && seconds < end }
  }

  func offset(of period: Period) -> Int64 { offsets[period.kind] }

  func offset(in period: Period) -> UTCOffset { UTCOffset(unchecked: Int(offset(of: period))) }

  func period(at seconds: Int64) -> Period {
    if seconds < horizon || horizon == .max { return tabulated(seconds) }
    // In the very distant future sums would overflow; treat the local time as constant there.
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

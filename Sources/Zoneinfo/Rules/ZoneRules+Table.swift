// SPDX-License-Identifier: Apache-2.0

extension ZoneRules {
  /// Builds the table of periods.
  struct Table {
    private(set) var types: [LocalTimeType]
    private(set) var starts: [Int64] = [.min]
    private(set) var kinds: [UInt16] = [0]
    /// The time from which the table repeats every 400 years; `Int64.max` if nothing repeats.
    private(set) var horizon = Int64.max

    static let cycle = Int64(Gregorian.daysPer400Years) * Int64(CivilTime.secondsPerDay)
    /// A rule without a start begins before the calendar's first year, the earliest one that can be queried.
    private static let beginning = Int64(Gregorian.dayNumber(0, 1, 1) * CivilTime.secondsPerDay)
    private static let end = Int64(Gregorian.dayNumber(10_001, 1, 1) * CivilTime.secondsPerDay)

    /// The first type applies before all changes.
    init(_ types: [LocalTimeType]) {
      self.types = types
    }

    /// Appends a file's changes, without those that change nothing.
    mutating func append(_ changes: [TimeZoneFile.Change]) {
      // A file may contain the same type twice, with different indicators.
      let first = types.map { type in types.firstIndex(of: type) ?? 0 }
      starts.reserveCapacity(changes.count + 1)
      kinds.reserveCapacity(changes.count + 1)
      for change in changes {
        let kind = UInt16(first[Int(change.type)])
        if kind != kinds[kinds.count - 1] { append(change.seconds, kind) }
      }
    }

    /// Appends a rule that applies from the last change on, or always if there was none.
    mutating func append(_ rule: PosixRule, from last: Int64?) {
      let standard = kind(of: rule.standard)
      if last == nil { kinds[0] = standard }
      let start = max(last ?? Self.beginning, Self.beginning)
      guard start < Self.end else { return }
      guard let daylight = rule.daylight else {
        append(start, standard)
        return
      }
      let summer = kind(of: daylight.type)
      let firstYear = Gregorian.date(Gregorian.floorDivide(Int(start), CivilTime.secondsPerDay)).year
      // Two more years at either end: a change may be up to a week outside its year, far from Greenwich.
      let summers = rule.summers(from: firstYear - 2, years: 400 + 4)
      append(start, summers.contains { $0.contains(start) } ? summer : standard)
      let count = starts.count
      let end = start + Self.cycle
      for range in summers {
        if start < range.lowerBound, range.lowerBound < end { append(range.lowerBound, summer) }
        if start < range.upperBound, range.upperBound < end { append(range.upperBound, standard) }
      }
      if starts.count > count { horizon = end }
    }

    /// A later change at the same time wins: a file's rule may begin at its last change.
    private mutating func append(_ start: Int64, _ kind: UInt16) {
      if starts[starts.count - 1] == start {
        kinds[kinds.count - 1] = kind
      } else {
        starts.append(start)
        kinds.append(kind)
      }
    }

    /// At most two more than a file's 256.
    private mutating func kind(of type: LocalTimeType) -> UInt16 {
      if let index = types.firstIndex(of: type) { return UInt16(index) }
      types.append(type)
      return UInt16(types.count - 1)
    }
  }
}

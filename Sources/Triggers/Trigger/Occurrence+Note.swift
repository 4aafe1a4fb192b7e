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

extension Trigger {
  /// The same note; or one about another date that the clocks skip, and that falls on this one.
  public func note(on date: Occurrence, in rules: ZoneRules) -> String? {
    if let note = date.note(in: rules) { return note }
    guard let dates = wallDates, dates.namesHours, let wall = date.wall,
      let skipped = Self.skipped(at: date.instant, in: rules)
    else { return nil }
    var search = DateSearch()
    guard (try? dates.contains(skipped, &search)) == true else { return nil }
    return "clocks skip \(skipped.time) on \(skipped.date): one date with \(wall.time)"
  }

  /// The skipped time that becomes this moment; nil if there is none.
  private static func skipped(at moment: Instant, in rules: ZoneRules) -> CivilDateTime? {
    var period = LocalPeriod(containing: moment.adding(seconds: -LocalDates.farthestSet), rules)
    while period.end <= moment {
      guard let next = LocalPeriod(after: period, rules) else { return nil }
      period = next
    }
    guard let gap = period.skipped, let wall = moment.civil(at: period.offsetBefore), gap.contains(wall) else {
      return nil
    }
    return wall
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A line of a week's picture that can have the keyboard.
package struct WeekSpot: Hashable, Sendable {
  /// Nil for what has no date, which stands above the days.
  package let place: WeekPicture.Place?
  /// The line of the cell; behind its items, the one that says how many more there are.
  package let line: Int

  package init(_ place: WeekPicture.Place?, line: Int) { (self.place, self.line) = (place, line) }

  package enum Direction: Sendable { case earlier, later, dayBefore, dayAfter }
}

extension WeekPicture {
  package func cell(_ place: Place?) -> Cell? { place == nil ? undated : place.flatMap { cells[$0] } }

  /// All lines in the order in which they are read: day by day.
  package var spots: [WeekSpot] {
    let places = cells.keys.sorted { ($0.day, $0.hour) < ($1.day, $1.hour) }
    return ([nil] + places).flatMap { place in (0..<(cell(place)?.count ?? 0)).map { WeekSpot(place, line: $0) } }
  }

  /// The line that an arrow leads to; nil if there is none.
  package func neighbor(of spot: WeekSpot, _ direction: WeekSpot.Direction) -> WeekSpot? {
    let spots = spots
    guard let place = spot.place else {
      switch direction {
      // They stand in a row.
      case .dayBefore: return spot.line > 0 ? WeekSpot(nil, line: spot.line - 1) : nil
      case .dayAfter: return spot.line + 1 < undated.count ? WeekSpot(nil, line: spot.line + 1) : nil
      case .later: return spots.first { $0.place != nil }
      case .earlier: return nil
      }
    }
    switch direction {
    case .earlier, .later:
      let column = spots.filter { $0.place?.day == place.day }
      guard let index = column.firstIndex(of: spot) else { return nil }
      let other = index + (direction == .later ? 1 : -1)
      if column.indices.contains(other) { return column[other] }
      return direction == .earlier ? spots.first { $0.place == nil } : nil
    case .dayBefore, .dayAfter:
      let step = direction == .dayAfter ? 1 : -1
      var day = place.day + step
      while 0..<Self.dayCount ~= day {
        let column = spots.filter { $0.place?.day == day }
        if let nearest = column.min(by: { distance($0, spot) < distance($1, spot) }) { return nearest }
        day += step
      }
      return nil
    }
  }

  private func distance(_ one: WeekSpot, _ other: WeekSpot) -> Int {
    abs((one.place?.hour ?? 0) - (other.place?.hour ?? 0)) * 100 + abs(one.line - other.line)
  }
}

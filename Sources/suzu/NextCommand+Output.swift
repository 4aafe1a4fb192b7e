// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// The dates as a table for people, and as JSON.
extension NextCommand {
  /// The flag of `suzu notify` for these dates; nil if the user gave it.
  func flag(for expression: String) -> String? {
    let value = CommandWords.quoted(expression)
    switch trigger?.timing {
    case nil, .match: return nil
    case .interval, .calendar: return "--every \(value)"
    case .rule: return "--rule \(value)"
    case .moment, .wall:
      let delay = expression.hasPrefix("in ") ? String(expression.dropFirst(3)) : expression
      guard let pause = (try? Duration.parse(delay)) ?? Duration.worded(delay) else {
        return "--at \(value), for one date"
      }
      return "--in \(pause.text), for one date; to repeat it, write \(pause.text)"
    }
  }

  private func note(_ date: Trigger.Occurrence) -> String? {
    trigger.map { $0.note(on: date, in: rules) } ?? date.note(in: rules)
  }

  /// Nothing is cut, because the notes matter. In a narrow terminal they move below the date.
  func table(width: Int?, _ ink: Ink = .none) -> String {
    let notes = dates.map(note)
    var columns = [zone, "UTC"].map { Table.Column($0, least: 20, rank: 0) }
    if notes.contains(where: { $0 != nil }) { columns.append(Table.Column("NOTE", least: 4, rank: 0)) }
    let rows = zip(dates, notes).map { date, note in
      [rules.text(date.instant, isShort: true), date.instant.description, note ?? ""].prefix(columns.count).map(\.self)
    }
    let table = Table(columns, rows: rows, width: nil)
    guard let width, ([table.heading] + rows.map(table.line)).contains(where: { DisplayWidth.of($0) > width }) else {
      return table.text(rows, ink)
    }
    return narrowTable(notes, width, ink)
  }

  private func narrowTable(_ notes: [String?], _ width: Int, _ ink: Ink) -> String {
    let whole = dates.map { rules.text($0.instant, isShort: true) }
    let fits = whole.allSatisfy { $0.count <= width }
    var lines = [ink.bold(zone.fitted(to: width, mark: "…"))]
    for (index, note) in notes.enumerated() {
      lines += WordWrap.lines(of: fits ? whole[index] : rules.shortText(dates[index].instant), columns: width)
      lines += WordWrap.lines(of: note ?? "", columns: max(1, width - 2)).map { "  " + $0 }
    }
    return lines.joined(separator: "\n")
  }

  /// One date per line.
  var json: String {
    let objects = dates.map { date in
      var words: [String: PlainValue] = ["utc": .text(date.instant.description)]
      words["at"] = date.instant.rfc3339(at: rules.offset(at: date.instant)).map { .text($0) }
      words["note"] = note(date).map { .text($0) }
      return PlainValue.dictionary(words).json
    }
    return "[" + objects.joined(separator: "\n,") + "\n]"
  }
}

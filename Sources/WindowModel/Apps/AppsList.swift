// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// A row of the page *Apps*: an app, or the quiet hours of all.
package struct AppRow: DayRow {
  /// Nil for the row of all apps.
  package let app: AppFacts?
  private let quiet: QuietFacts

  init(_ app: AppFacts) { (self.app, quiet) = (app, app.quiet) }

  init(all quiet: QuietFacts) { (app, self.quiet) = (nil, quiet) }

  package var time: String { "" }

  package var title: String { app.map { ShownText.line($0.name, atMost: 120) } ?? "Quiet hours" }

  package func subtitle(_ clock: LocalClock) -> String { remarks(clock).joined(separator: " · ") }

  package func spoken(_ clock: LocalClock) -> String { ([title] + remarks(clock)).joined(separator: ", ") }

  package func isVersion(of other: AppRow) -> Bool { app?.id == other.app?.id }

  private func remarks(_ clock: LocalClock) -> [String] {
    let hours = quiet.hours.hours.prefix(3).map { ShownText.isolated(QuietTimes.words($0), atMost: 80) }
    guard let app else { return [quiet.state(clock)] + hours }
    let quietNow = quiet.hours.isUnset ? nil : quiet.remark(clock)
    let id = app.name == app.id ? [] : [ShownText.isolated(app.id, atMost: 80)]
    return app.remarks + (quietNow.map { [$0] } ?? []) + [app.lastUsedText(clock)] + id
  }
}

/// The page *Apps*: the quiet hours of all, then each app by its name.
package struct AppsList: Sendable {
  package private(set) var entries: [DayEntry<AppRow>] = []
  /// The apps that the list has, also those that a search leaves out.
  package private(set) var apps: [AppFacts] = []
  private var quiet = QuietFacts()
  private var search = ""

  package init() {}

  /// Whether a search has found nothing.
  package var isEmpty: Bool { entries.isEmpty }

  package mutating func show(_ apps: [AppFacts], quiet: QuietFacts) -> ListChange? {
    let named = apps.map { (name: $0.name.lowercased(), app: $0) }
    self.apps = named.sorted { ($0.name, $0.app.id) < ($1.name, $1.app.id) }.map(\.app)
    self.quiet = quiet
    return arrange()
  }

  /// Shows only the apps that have this text in their name or id.
  package mutating func find(_ text: String) -> ListChange? {
    search = text.lowercased()
    return arrange()
  }

  private mutating func arrange() -> ListChange? {
    let old = entries
    let found = search.isEmpty ? apps : apps.filter { "\($0.name)\n\($0.id)".lowercased().contains(search) }
    let all = search.isEmpty ? [AppRow(all: quiet)] : []
    entries = DayEntry.entries(all + found.map { AppRow($0) }) { $0.app == nil ? "All apps" : "Apps" }
    return ListChange(from: old, to: entries)
  }
}

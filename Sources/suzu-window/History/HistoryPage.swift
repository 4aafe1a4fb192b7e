// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import CenterClient
internal import NotificationModel
internal import WindowModel

/// The page *History*: what has come and how it ended, with a search. It is read while it is shown.
@MainLoop final class HistoryPage {
  let widget: Widget
  let list = DayList<HistoryRow>("History")
  private let link: CenterLink
  private let pages: Pages
  private let search: Widget
  private let nothing = StatusPage(icon: "document-open-recent-symbolic", "Nothing has come yet")
  private let problem = StatusPage(icon: "network-offline-symbolic", "No connection")
  private var model = HistoryList()
  private var rows: [ListedRequest] = []
  private var cursor: ListingCursor?
  private var wanted = HistoryPage.page
  private var isReading = false
  private var isStale = true
  private static let page = 100

  init(_ link: CenterLink) {
    self.link = link
    search = Widget(taking: gtk_search_entry_new()).spoken("Search")
    pages = Pages([
      ("wait", StatusPage(icon: "dev.suzu.Suzu-symbolic", "Connecting")), ("list", list.widget), ("empty", nothing),
      ("problem", problem),
    ])
    widget = Box(.column, [Clamp(Box(.column, [search]).margins(vertical: 9, horizontal: 12)), pages])
      .expanding(vertically: true)
    // After a short pause in typing.
    search.on("search-changed") { [unowned self] in
      wanted = Self.page
      read()
    }
    list.onNearEnd = { [unowned self] in more() }
  }

  private var text: String { String(cString: gtk_editable_get_text(search.to())) }

  func focusSearch() { search.focus() }

  /// Whether the user sees it: only then is it read.
  var isShown = false {
    didSet { if isShown, !oldValue { read() } }
  }

  /// The center has changed something.
  func refresh() { if isShown { read() } }

  private func more() {
    guard cursor != nil, wanted <= rows.count else { return }
    wanted += Self.page
    // Not from within the list, which asks while it draws.
    Task { read() }
  }

  private func read() {
    isStale = true
    if isReading { return }
    isReading = true
    Task {
      while isStale {
        isStale = false
        let text = text
        do throws(SuzuError) {
          let found = try await link.history(search: text, rows: wanted)
          (rows, cursor) = (found.rows, found.next)
          draw(isSearch: !text.isEmpty)
        } catch {
          problem.say("The history cannot be read: \(error.message)")
          pages.shown = "problem"
        }
      }
      isReading = false
    }
  }

  private func draw(isSearch: Bool) {
    let change = model.show(rows, .current)
    list.show(model.entries, change, .current)
    nothing.set(title: isSearch ? "Nothing found" : "Nothing has come yet")
    nothing.say(
      isSearch
        ? "No notification of the history has this text." : "What has been shown is listed here, with how it ended.")
    pages.shown = rows.isEmpty ? "empty" : "list"
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import CenterClient
internal import NotificationModel
internal import WindowModel

/// The page *Apps*: what each may do, and the quiet hours of all. It is read while it is shown.
@MainLoop final class AppsPage {
  let widget: Widget
  let list = DayList<AppRow>("Apps", hasTimes: false)
  private let link: CenterLink
  private let pages: Pages
  private var search: SearchLine!  // Set by the initializer, and never again: typing in it calls this object.
  private let problem = StatusPage(icon: "network-offline-symbolic", "No connection")
  private var model = AppsList()
  private var listing = AppsListing()
  private var isReading = false
  private var isStale = false
  /// The sheet that is open.
  private weak var sheet: AppSheet?

  /// Called with a sheet to open.
  var onSheet: @MainLoop (Sheet) -> Void = { _ in }

  init(_ link: CenterLink) {
    self.link = link
    pages = Pages([
      ("wait", StatusPage(icon: "dev.suzu.Suzu-symbolic", "Connecting")), ("list", list.widget),
      (
        "empty",
        StatusPage(
          icon: "edit-find-symbolic", "Nothing found", "An app is listed once it has notified you or asked for it.")
      ), ("problem", problem),
    ])
    let column = Box(.column).expanding(vertically: true)
    widget = column
    search = SearchLine(named: "Search apps") { [unowned self] text in draw(model.find(text)) }
    column.append(search)
    column.append(pages)
    list.onOpen = { [unowned self] row in open(row) }
  }

  func focusSearch() { search.focus() }

  /// Whether the user sees it: only then is it read.
  var isShown = false {
    didSet { if isShown, !oldValue { read() } }
  }

  /// The center has changed something, or time has passed.
  func refresh() { if isShown || sheet != nil { read() } }

  private func read() {
    isStale = true
    if isReading { return }
    isReading = true
    Task {
      while isStale {
        isStale = false
        do throws(SuzuError) {
          listing = try await link.apps(after: listing)
          draw(model.show(listing.apps, quiet: listing.quiet))
          follow()
        } catch {
          problem.say("The apps cannot be listed: \(error.message)")
          pages.shown = "problem"
        }
        await MainLoop.pause(milliseconds: 30)
      }
      isReading = false
    }
  }

  private func draw(_ change: ListChange?) {
    list.show(model.entries, change, .current)
    pages.shown = model.isEmpty ? "empty" : "list"
  }

  // MARK: Sheets

  private func open(_ row: AppRow) {
    let sheet = AppSheet(of: row.app?.id, link, over: widget) { [unowned self] in refresh() }
    self.sheet = sheet
    follow()
    onSheet(sheet.sheet)
  }

  /// Shows in the open sheet what the center has.
  private func follow() {
    guard let sheet else { return }
    guard let app = sheet.app else { return sheet.show(listing.quiet, nil) }
    guard let facts = listing.apps.first(where: { $0.id.utf8.elementsEqual(app.utf8) }) else { return }
    sheet.show(facts.quiet, facts)
  }
}

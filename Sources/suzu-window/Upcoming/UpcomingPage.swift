// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import NotificationModel
internal import WindowModel

/// The page *Upcoming*: what is not shown yet, as a list by day or as a week.
@MainLoop final class UpcomingPage {
  let widget: Box
  /// Switches between the list and the week.
  private(set) lazy var toggle = Toggle("Week", named: "Show as a week", isOn: isWeek) { [unowned self] in setWeek($0) }
  let list = DayList<UpcomingRow>("Upcoming", button: ("user-trash-symbolic", "Cancel"), isMovable: true)
  var onOpen: @MainLoop (UpcomingRow) -> Void = { _ in } {
    didSet { (list.onOpen, week.grid.onOpen) = (onOpen, onOpen) }
  }
  var onCancel: @MainLoop (UpcomingRow) -> Void = { _ in } {
    didSet { (list.onButton, week.grid.onCancel) = (onCancel, onCancel) }
  }
  /// Called when the user moves a request with keys or with the mouse; returns whether it can be moved.
  var onMove: @MainLoop (UpcomingRow, MovedRequest.Move) -> Bool = { _, _ in false }

  private let link: CenterLink
  private let week = WeekPage()
  private let pages: Pages
  private var model = UpcomingList()
  private let problem = StatusPage(icon: "network-offline-symbolic", "No connection")
  private var memory = WindowMemory()
  /// Whether the user wants to see the week, where the window is wide enough.
  private lazy var isWeek = memory.showsWeek
  private var width: WidthSwitch!  // Set once: it calls this object.

  init(_ link: CenterLink, new: @escaping @MainLoop () -> Void) {
    self.link = link
    pages = Pages([
      ("wait", StatusPage(icon: "dev.suzu.Suzu-symbolic", "Connecting")), ("list", list.widget), ("week", week.widget),
      (
        "empty",
        StatusPage(
          icon: "dev.suzu.Suzu-symbolic", "Nothing is coming up",
          "What you schedule here, with the command 'suzu' or in an app, is listed here until it is shown.",
          button: Button("_New request", new))
      ), ("problem", problem),
    ])
    widget = Box(.column, [pages])
    width = WidthSwitch(atLeast: 620) { [unowned self] in arrange(.current) }
    widget.append(width)
    for (keys, move) in [
      ("<Alt>Down", MovedRequest.Move.days(1)), ("<Alt>Up", .days(-1)), ("<Alt>Right", .hours(1)),
      ("<Alt>Left", .hours(-1)),
    ] {
      list.onRowKeys(keys) { [unowned self] in self.move($0, move) }
    }
    list.onDrop = { [unowned self] row, target, isHeading in
      if let next = target.next { self.move(row, isHeading ? .day(next) : .instant(next)) }
    }
    list.onNearEnd = { link.wantMore() }
    week.grid.onMove = { [unowned self] row, move in self.move(row, move) }
    week.grid.onMore = { [unowned self] row in
      // What is remembered stays the week.
      isWeek = false
      toggle.show(false)
      arrange(.current)
      list.show { $0.name == row.name }
    }
    week.onStep = { [unowned self] in readWeek() }
  }

  private func move(_ row: UpcomingRow, _ move: MovedRequest.Move) {
    guard onMove(row, move) else { return }
    // Rows that are hidden would take the keyboard as well.
    if showsWeek { week.follow(row) } else { list.follow(row) }
  }

  func show(_ link: CenterLink, _ clock: LocalClock) {
    switch link.state {
    case .connecting: pages.shown = "wait"
    case .failed(let text):
      problem.say(text)
      pages.shown = "problem"
    case .ready: apply(model.show(link.listing.rows, muted: link.listing.muted, clock), clock)
    }
  }

  func hide(_ name: RequestName, _ clock: LocalClock) { apply(model.hide(name, clock), clock) }

  func unhide(_ name: RequestName, _ clock: LocalClock) { apply(model.unhide(name, clock), clock) }

  /// Writes the distances anew, and the headings on another day.
  func tick(_ clock: LocalClock) {
    if pages.shown == "list" || pages.shown == "week" { apply(model.arrange(clock), clock) }
  }

  private func apply(_ change: ListChange?, _ clock: LocalClock) {
    list.show(model.entries, change, clock)
    showWeek(clock)
    pages.shown = model.isEmpty ? "empty" : showsWeek ? "week" : "list"
  }

  // MARK: The week

  private var showsWeek: Bool { isWeek && width.isWide }

  func toggleWeek() { if toggle.isVisible { toggle.set(!isWeek) } }

  private func setWeek(_ isOn: Bool) {
    isWeek = isOn
    memory.showsWeek = isOn
    arrange(.current)
  }

  /// Shows the list or the week.
  private func arrange(_ clock: LocalClock) {
    toggle.isVisible = isShown && width.isWide
    if pages.shown == "list" || pages.shown == "week" { apply(nil, clock) }
  }

  /// Whether the window shows this page.
  var isShown = true {
    didSet {
      pages.isVisible = isShown
      arrange(.current)
    }
  }

  private func showWeek(_ clock: LocalClock) {
    guard showsWeek else { return }
    let rows = model.entries.map(\.row)
    // Rows without a date are in front of the others.
    let readTo = link.listing.hasMore ? rows.last.map { $0.next ?? clock.now } : nil
    week.show(rows, readTo: readTo, clock)
    readWeek()
  }

  /// Reads what comes in the week, up to a limit.
  private func readWeek() {
    if showsWeek, week.isIncomplete, link.listing.rows.count < WeekPage.most { link.wantMore() }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import NotificationModel
internal import WindowModel
internal import Zoneinfo

/// The week of the page *Upcoming*: seven days from today on, and the buttons that lead to others.
@MainLoop final class WeekPage {
  let grid = WeekGrid()
  private(set) lazy var widget = Box(.column, [bar, remark, grid.daysGrid, scroller])
  /// The most requests that are read for it.
  static let most = 3000
  /// Whether some of what comes in these days has not been read.
  var isIncomplete: Bool {
    guard let readTo, let end = picture?.end else { return false }
    return readTo < end
  }
  /// Called when the user goes to other days.
  var onStep: @MainLoop () -> Void = {}

  private let title = Label().styled("heading").expanding(horizontally: true)
  private lazy var today = Button("_Today") { [unowned self] in step(0) }
  private lazy var previous = Button(icon: "go-previous-symbolic", named: "Previous week") { [unowned self] in step(-1)
  }
  private lazy var next = Button(icon: "go-next-symbolic", named: "Next week") { [unowned self] in step(1) }
  private lazy var bar = Box(.row, spacing: 6, [title, today, previous, next]).margins(vertical: 6, horizontal: 12)
  private let note = Label("", lines: 0).expanding(horizontally: true)
  private lazy var jump = Button("") { [unowned self] in if let date = picture?.later?.date { go(to: date) } }
  private lazy var remark = Box(.row, spacing: 12, [note, jump]).margins(vertical: 6, horizontal: 12)
  private lazy var scroller = Scroller(grid.hoursGrid)

  /// The first day; nil for today.
  private var first: CivilDate?
  private var rows: [UpcomingRow] = []
  private var readTo: Instant?
  private var picture: WeekPicture?
  /// A request that the user has moved, and when it came before.
  private var followed: (name: RequestName, old: Instant?)?

  init() {
    for button in [today, previous, next] { button.styled("flat") }
    // Within the scroller, whose keys they are as well.
    for (keys, weeks) in [("Page_Up", -1), ("Page_Down", 1)] {
      for part in [bar, grid.daysGrid, grid.hoursGrid] { part.onKeys(keys) { [unowned self] in step(weeks) } }
    }
    grid.onFollow = { [unowned self] spot in scroll(to: spot.place?.hour, onlyIfHidden: true) }
    widget.expanding(vertically: true)
  }

  // MARK: Showing

  /// - Parameter readTo: the date from which on there may be more than these rows; nil if these are all.
  func show(_ rows: [UpcomingRow], readTo: Instant?, _ clock: LocalClock) {
    (self.rows, self.readTo) = (rows, readTo)
    if let followed, let row = rows.first(where: { $0.name == followed.name }), let next = row.next,
      next != followed.old
    {
      self.followed = nil
      if let start = WeekPicture.start(for: next, from: first ?? clock.today, clock) { set(first: start, clock) }
    }
    redraw(clock)
  }

  /// Follows a request to its new place, with the keyboard.
  func follow(_ row: UpcomingRow) {
    followed = (row.name, row.next)
    grid.follow { $0.row.name == row.name && $0.date == $0.row.next && $0.date != row.next }
  }

  private func set(first: CivilDate, _ clock: LocalClock) { self.first = first <= clock.today ? nil : first }

  private func redraw(_ clock: LocalClock) {
    let picture = WeekPicture(rows, from: first, clock)
    let isOther = picture.days != self.picture?.days
    self.picture = picture
    title.text = picture.title
    grid.hoursGrid.spoken(picture.title)
    today.isVisible = first != nil
    previous.isSensitive = first != nil
    grid.show(picture, clock)
    write(picture, clock)
    if isOther { scroll(to: picture.hours?.lowerBound) }
  }

  private func write(_ picture: WeekPicture, _ clock: LocalClock) {
    jump.isVisible = false
    let isCut = isIncomplete && rows.count >= Self.most
    if isCut {
      note.text = "There are more requests than fit here; the list has all of them"
    } else if picture.isEmpty {
      note.text = "Nothing comes in these days"
      if let later = picture.later?.date {
        jump.isVisible = true
        jump.say("Show \(clock.day(later))")
      }
    }
    remark.isVisible = isCut || picture.isEmpty
  }

  // MARK: Going elsewhere

  private func step(_ weeks: Int) {
    let clock = LocalClock.current
    guard let other = (first ?? clock.today).adding(days: weeks * WeekPicture.dayCount) else { return }
    set(first: weeks == 0 ? clock.today : other, clock)
    redraw(clock)
    onStep()
  }

  private func go(to date: Instant) {
    let clock = LocalClock.current
    if let day = clock.rules.civil(at: date)?.date { set(first: day, clock) }
    redraw(clock)
    if let spot = picture?.spots.first(where: { $0.place != nil }) { grid.focus(spot) }
    onStep()
  }

  /// Scrolls so that an hour is the first one, once the rows have their places.
  ///
  /// - Parameter onlyIfHidden: whether it may stay elsewhere on the screen.
  private func scroll(to hour: Int?, onlyIfHidden: Bool = false) {
    guard let hour else { return }
    Task {
      await MainLoop.pause(milliseconds: 50)
      var place = graphene_point_t()
      var origin = graphene_point_t(x: 0, y: 0)
      let label = grid.label(of: hour).widget
      if gtk_widget_compute_point(label, grid.hoursGrid.widget, &origin, &place) != 0 {
        let adjustment = gtk_scrolled_window_get_vadjustment(scroller.to())
        let top = gtk_adjustment_get_value(adjustment)
        // With room for a line below it.
        let bottom = top + gtk_adjustment_get_page_size(adjustment) - 60
        if onlyIfHidden, top <= bottom, top...bottom ~= Double(place.y) { return }
        gtk_adjustment_set_value(adjustment, Double(place.y))
      }
    }
  }
}

extension LocalClock {
  fileprivate var today: CivilDate { rules.civil(at: now)?.date ?? .first }
}

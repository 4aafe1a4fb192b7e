// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import WindowModel
internal import Zoneinfo

/// The picture of a week: a column for each day, a row for each hour, and above them what has no date.
@MainLoop final class WeekGrid {
  /// The hours, which are scrolled.
  let hoursGrid: Widget
  /// Above them what stays: the days, and what has no date.
  let daysGrid: Widget
  var onOpen: @MainLoop (UpcomingRow) -> Void = { _ in }
  var onCancel: @MainLoop (UpcomingRow) -> Void = { _ in }
  var onMove: @MainLoop (UpcomingRow, MovedRequest.Move) -> Void = { _, _ in }
  /// Called when the user wants to see what a cell has no room for.
  var onMore: @MainLoop (UpcomingRow) -> Void = { _ in }

  /// Called when an item that was followed has the keyboard.
  var onFollow: @MainLoop (WeekSpot) -> Void = { _ in }

  private var picture: WeekPicture?
  private var headings: [Label] = []
  private var hours: [Label] = []
  private var cells: [WeekPicture.Place?: WeekCellView] = [:]
  private var dragged: WeekPicture.Item?
  /// Finds the item that gets the keyboard as soon as it is here.
  private var isFollowed: (@MainLoop (WeekPicture.Item) -> Bool)?

  // All columns of a grid are equally wide, and days are wider than the hours beside them.
  private static let hourWidth: Int32 = 2, dayWidth: Int32 = 4

  init() {
    (hoursGrid, daysGrid) = (Widget(taking: gtk_grid_new()), Widget(taking: gtk_grid_new()))
    for grid in [hoursGrid, daysGrid] {
      gtk_grid_set_column_homogeneous(grid.styled("week").to(), 1)
      connectKeys(of: grid)
    }
    // A grid gives no room to columns that are empty.
    gtk_grid_attach(daysGrid.to(), Box(role: GTK_ACCESSIBLE_ROLE_NONE).widget, 0, 1, Self.hourWidth, 1)
    for day in 0..<WeekPicture.dayCount {
      let heading = Label().styled("caption-heading", "day").narrow()
      gtk_label_set_xalign(heading.to(), 0.5)
      heading.onDrop { [unowned self] in drop(on: day, at: nil) }
      gtk_grid_attach(daysGrid.to(), heading.widget, Self.column(of: day), 1, Self.dayWidth, 1)
      headings.append(heading)
    }
    for hour in 0..<WeekPicture.hourCount {
      let label = Label((hour < 10 ? "0" : "") + "\(hour):00").styled("caption", "dim-label", "numeric", "hour")
      gtk_label_set_yalign(label.to(), 0)
      gtk_grid_attach(hoursGrid.to(), label.widget, 0, Int32(hour), Self.hourWidth, 1)
      hours.append(label)
      for day in 0..<WeekPicture.dayCount {
        // Screen readers read what comes, and not the empty hours.
        let room = Box(role: GTK_ACCESSIBLE_ROLE_NONE).styled("room")
        room.onDrop { [unowned self] in drop(on: day, at: hour) }
        attach(room, WeekPicture.Place(day: day, hour: hour))
      }
    }
  }

  private static func column(of day: Int) -> Int32 { hourWidth + Int32(day) * dayWidth }

  private func attach(_ child: Widget, _ place: WeekPicture.Place?) {
    guard let place else {
      return gtk_grid_attach(daysGrid.to(), child.widget, 0, 0, Self.column(of: WeekPicture.dayCount), 1)
    }
    gtk_grid_attach(hoursGrid.to(), child.widget, Self.column(of: place.day), Int32(place.hour), Self.dayWidth, 1)
  }

  /// The label of an hour, to scroll to.
  func label(of hour: Int) -> Widget { hours[hour] }

  // MARK: Showing

  func show(_ picture: WeekPicture, _ clock: LocalClock) {
    let old = self.picture
    self.picture = picture
    if picture != old { replace(old) }
    for cell in cells.values { cell.write(clock) }
  }

  private func replace(_ old: WeekPicture?) {
    guard let picture else { return }
    let focused = focused
    for (day, heading) in zip(picture.days, headings) {
      heading.text = day.title
      heading.spoken(day.spoken)
      heading.set("accent", day.isToday)
    }
    var gone: [(grid: Widget, cell: WeekCellView)] = []
    for place in Set(cells.keys).union(picture.cells.keys.map(Optional.some)).union([nil]) {
      let cell = picture.cell(place).flatMap { $0.count == 0 ? nil : $0 }
      if cells[place]?.cell == cell { continue }
      if let old = cells[place] { gone.append((place == nil ? daysGrid : hoursGrid, old)) }
      cells[place] = cell.map { make($0, place, in: picture) }
    }
    // Screen readers read it in the order in which things come.
    for place in picture.cells.keys.sorted(by: { ($0.day, $0.hour) < ($1.day, $1.hour) }) {
      if let cell = cells[place] { gtk_widget_insert_before(cell.widget.widget, hoursGrid.widget, nil) }
    }
    refocus(focused, old)
    // Only now: GTK would give the keyboard to something else, and keys would be lost meanwhile.
    for (grid, cell) in gone { gtk_grid_remove(grid.to(), cell.widget.widget) }
  }

  private func make(_ cell: WeekPicture.Cell, _ place: WeekPicture.Place?, in picture: WeekPicture) -> WeekCellView {
    let name = place.map { "\(picture.days[$0.day].spoken), \(hours[$0.hour].text)" } ?? "Without a date"
    let view = WeekCellView(
      cell, named: name, isRow: place == nil, open: { [unowned self] in onOpen($0.row) },
      more: { [unowned self] in onMore($0.row) })
    for chip in view.chips {
      // Not the chip, which would keep itself.
      let item = chip.item
      chip.widget.onDrag(begin: { [unowned self] in dragged = item }, end: { [unowned self] in dragged = nil })
    }
    if let place { view.widget.onDrop { [unowned self] in drop(on: place.day, at: place.hour) } }
    attach(view.widget, place)
    return view
  }

  // MARK: The keyboard

  private func connectKeys(of widget: Widget) {
    for (keys, direction) in [
      ("Up", WeekSpot.Direction.earlier), ("Down", .later), ("Left", .dayBefore), ("Right", .dayAfter),
    ] {
      widget.onKeys(keys) { [unowned self] in go(direction) }
    }
    widget.onKeys("<Alt>Up") { [unowned self] in move(.hours(-1)) }
    widget.onKeys("<Alt>Down") { [unowned self] in move(.hours(1)) }
    widget.onKeys("<Alt>Left") { [unowned self] in move(.days(isMirrored ? 1 : -1)) }
    widget.onKeys("<Alt>Right") { [unowned self] in move(.days(isMirrored ? -1 : 1)) }
    for keys in ["Delete", "KP_Delete"] {
      widget.onKeys(keys) { [unowned self] in if let item = focused?.item { onCancel(item.row) } }
    }
  }

  /// Whether the first day is on the right.
  private var isMirrored: Bool { gtk_widget_get_direction(hoursGrid.widget) == GTK_TEXT_DIR_RTL }

  private func go(_ direction: WeekSpot.Direction) {
    var direction = direction
    if isMirrored, direction == .dayBefore || direction == .dayAfter {
      direction = direction == .dayBefore ? .dayAfter : .dayBefore
    }
    guard let spot = focused?.spot, let other = picture?.neighbor(of: spot, direction) else { return }
    focus(other)
  }

  private func move(_ move: MovedRequest.Move) { if let item = focused?.item { onMove(item.row, move) } }

  /// The line that has the keyboard, and its item.
  private var focused: (spot: WeekSpot, item: WeekPicture.Item?)? {
    for (place, cell) in cells {
      guard let line = cell.focusedLine else { continue }
      return (WeekSpot(place, line: line), line < cell.chips.count ? cell.chips[line].item : nil)
    }
    return nil
  }

  /// Gives the keyboard to the item that `isIt` finds, as soon as it is here.
  func follow(_ isIt: @escaping @MainLoop (WeekPicture.Item) -> Bool) { isFollowed = isIt }

  func focus(_ spot: WeekSpot) { cells[spot.place]?.focus(line: spot.line) }

  private func spot(_ isIt: @MainLoop (WeekPicture.Item) -> Bool) -> WeekSpot? {
    for (place, cell) in cells {
      if let line = cell.cell.shown.firstIndex(where: { isIt($0) }) { return WeekSpot(place, line: line) }
    }
    return nil
  }

  /// Keeps the keyboard at its item, or near the place where that was.
  private func refocus(_ before: (spot: WeekSpot, item: WeekPicture.Item?)?, _ old: WeekPicture?) {
    if let isFollowed, let spot = spot(isFollowed) {
      self.isFollowed = nil
      focus(spot)
      return onFollow(spot)
    }
    guard let before, focused == nil, let picture else { return }
    if let item = before.item, let spot = spot({ $0.row.name == item.row.name }) { return focus(spot) }
    let spots = picture.spots
    let index = old?.spots.firstIndex(of: before.spot) ?? 0
    if let nearest = spots.indices.contains(index) ? spots[index] : spots.last { focus(nearest) }
  }

  // MARK: The mouse

  private func drop(on day: Int, at hour: Int?) -> Bool {
    guard let dragged, let date = picture?.days[day].date else { return false }
    if let hour {
      onMove(dragged.row, .hour(date, hour))
    } else {
      onMove(dragged.row, .day(LocalClock.current.rules.resolve(CivilDateTime(date, .midnight))))
    }
    return true
  }
}

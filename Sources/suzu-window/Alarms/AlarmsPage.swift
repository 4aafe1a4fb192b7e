// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import NotificationModel
internal import WindowModel

/// The page *Alarms*: weekly alarms as a clock app has them.
@MainLoop final class AlarmsPage {
  let widget: Pages
  private var list = AlarmList()
  private var drawn: [WeeklyAlarm] = []
  private let rows: Widget
  private var rowViews: [AlarmRowView] = []
  private let next = Label().styled("dim-label")
  private let problem: StatusPage

  var onOpen: @MainLoop (WeeklyAlarm) -> Void = { _ in }
  var onSwitch: @MainLoop (WeeklyAlarm, _ isOn: Bool) -> Void = { _, _ in }
  var onDelete: @MainLoop (WeeklyAlarm) -> Void = { _ in }

  init(new: @escaping @MainLoop () -> Void) {
    rows = Widget(taking: gtk_list_box_new()).styled("boxed-list").spoken("Alarms")
    gtk_list_box_set_selection_mode(rows.to(), GTK_SELECTION_NONE)
    problem = StatusPage(icon: "network-offline-symbolic", "No connection")
    let content = Box(.column, spacing: 12, [next, rows]).margins(vertical: 18, horizontal: 12)
    widget = Pages([
      ("wait", StatusPage(icon: "dev.suzu.Suzu-symbolic", "Connecting")), ("list", Scroller(Clamp(content))),
      (
        "empty",
        StatusPage(
          icon: "alarm-symbolic", "No alarms", "An alarm rings at the same time on the weekdays that you choose.",
          button: Button("_New alarm", new))
      ), ("problem", problem),
    ])
    rows.on("row-activated") { [unowned self] (row: UnsafeMutableRawPointer) in
      let index = Int(gtk_list_box_row_get_index(row.assumingMemoryBound(to: GtkListBoxRow.self)))
      if drawn.indices.contains(index) { onOpen(drawn[index]) }
    }
  }

  func show(_ link: CenterLink, _ clock: LocalClock) {
    switch link.state {
    case .connecting: widget.shown = "wait"
    case .failed(let text):
      problem.say(text)
      widget.shown = "problem"
    case .ready:
      list.show(link.listing.repeating, muted: link.listing.muted)
      draw(clock)
    }
  }

  func hide(_ name: RequestName, _ clock: LocalClock) {
    list.hide(name)
    draw(clock)
  }

  func unhide(_ name: RequestName, _ clock: LocalClock) {
    list.unhide(name)
    draw(clock)
  }

  /// Writes the distances anew.
  func tick(_ clock: LocalClock) {
    if widget.shown == "list" { draw(clock) }
  }

  /// Makes all rows anew: a switch that could not switch goes back.
  func redraw(_ clock: LocalClock) {
    replace(rowViews.indices, with: list.alarms)
    draw(clock)
  }

  private func draw(_ clock: LocalClock) {
    // There are few: those that differ are made anew, and the others keep the focus.
    let alarms = list.alarms
    if let change = ListChange(from: drawn, to: alarms) {
      let new = alarms[change.position..<change.position + change.added]
      replace(change.position..<change.position + change.removed, with: Array(new))
    }
    for view in rowViews { view.write(clock) }
    next.text = list.next(clock) ?? "No alarm is on"
    widget.shown = alarms.isEmpty ? "empty" : "list"
  }

  private func replace(_ range: Range<Int>, with alarms: [WeeklyAlarm]) {
    let new = alarms.map { alarm in
      AlarmRowView(alarm, switched: { [unowned self] in onSwitch(alarm, $0) }) { [unowned self] in onDelete(alarm) }
    }
    for (offset, view) in new.enumerated() {
      gtk_list_box_insert(rows.to(), view.row.widget, Int32(range.lowerBound + offset))
    }
    let old = rowViews[range]
    rowViews.replaceSubrange(range, with: new)
    drawn.replaceSubrange(range, with: alarms)
    // The old rows leave once another one has the keyboard. GTK would give it to something else, and lose keys meanwhile.
    let next = rowViews.indices.contains(range.lowerBound) ? rowViews[range.lowerBound] : rowViews.last
    for view in old {
      (new.first { $0.isVersion(of: view) } ?? next)?.takeKeyboard(from: view)
      gtk_list_box_remove(rows.to(), view.row.widget)
    }
  }
}

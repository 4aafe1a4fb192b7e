// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import NotificationModel
internal import WindowModel
internal import Zoneinfo

/// The page *Upcoming*: what is not shown yet, by day.
@MainLoop final class UpcomingPage {
  let widget: Pages
  private var list = UpcomingList()
  private let rows = ObjectReference(taking: window_make_rows())
  private let selection: ObjectReference
  private let view: Widget
  private let problem: StatusPage
  /// The rows that are on the screen, by their item.
  private var drawn: [UnsafeMutableRawPointer: UpcomingRowView] = [:]

  var onCancel: @MainLoop (UpcomingRow) -> Void = { _ in }
  var onOpen: @MainLoop (UpcomingRow) -> Void = { _ in }
  var onNearEnd: @MainLoop () -> Void = {}

  init(new: @escaping @MainLoop () -> Void) {
    // The selection takes over a reference to its model, and the view one to the selection.
    g_object_ref(rows.pointer)
    selection = ObjectReference(taking: gtk_single_selection_new(rows.to()))
    gtk_single_selection_set_autoselect(selection.to(), 0)
    gtk_single_selection_set_can_unselect(selection.to(), 1)
    gtk_single_selection_set_selected(selection.to(), window_no_position)
    let factory = ObjectReference(taking: gtk_signal_list_item_factory_new())
    g_object_ref(selection.pointer)
    g_object_ref(factory.pointer)
    view = Widget(taking: gtk_list_view_new(selection.to(), factory.to())).styled("upcoming").spoken("Upcoming")
    gtk_list_view_set_single_click_activate(view.to(), 1)
    let clamp = Widget(taking: adw_clamp_scrollable_new())
    adw_clamp_scrollable_set_maximum_size(clamp.to(), 720)
    adw_clamp_scrollable_set_child(clamp.to(), view.widget)
    problem = StatusPage(icon: "network-offline-symbolic", "No connection")
    widget = Pages([
      ("wait", StatusPage(icon: "dev.suzu.Suzu-symbolic", "Connecting")), ("list", Scroller(clamp)),
      (
        "empty",
        StatusPage(
          icon: "dev.suzu.Suzu-symbolic", "Nothing is coming up",
          "What you schedule here, with the command 'suzu' or in an app, is listed here until it is shown.",
          button: Button("_New request", new))
      ), ("problem", problem),
    ])
    factory.on("setup") { [unowned self] item in make(item) }
    factory.on("bind") { [unowned self] item in fill(item) }
    factory.on("unbind") { [unowned self] item in drawn[item]?.isBound = false }
    factory.on("teardown") { [unowned self] item in drawn[item] = nil }
    view.on("activate") { [unowned self] (position: Int) in if let row = row(at: position) { onOpen(row) } }
    view.onKeys("Delete") { [unowned self] in cancelSelected() }
    view.onKeys("KP_Delete") { [unowned self] in cancelSelected() }
  }

  // MARK: Showing

  func show(_ link: CenterLink, _ clock: LocalClock) {
    switch link.state {
    case .connecting: widget.shown = "wait"
    case .failed(let text):
      problem.say(text)
      widget.shown = "problem"
    case .ready: apply(list.show(link.listing.rows, clock), clock)
    }
  }

  func hide(_ name: RequestName, _ clock: LocalClock) { apply(list.hide(name, clock), clock) }

  func unhide(_ name: RequestName, _ clock: LocalClock) { apply(list.unhide(name, clock), clock) }

  /// Writes the distances anew, and the headings on another day.
  func tick(_ clock: LocalClock) {
    guard widget.shown == "list" else { return }
    apply(list.arrange(clock), clock)
  }

  private func apply(_ change: ListChange?, _ clock: LocalClock) {
    if let change {
      window_splice_rows(rows.to(), UInt32(change.position), UInt32(change.removed), UInt32(change.added))
    }
    for (item, view) in drawn where view.isBound { write(item, view, clock) }
    widget.shown = list.isEmpty ? "empty" : "list"
  }

  /// Brings a request onto the screen, and the keyboard to it.
  func reveal(_ name: RequestName) {
    guard let position = list.entries.firstIndex(where: { $0.row.name == name }) else { return }
    gtk_single_selection_set_selected(selection.to(), UInt32(position))
    _ = gtk_widget_activate_action_variant(view.widget, "list.scroll-to-item", g_variant_new_uint32(UInt32(position)))
  }

  // MARK: Rows

  private func make(_ item: UnsafeMutableRawPointer) {
    let view = UpcomingRowView { [unowned self] in
      if let row = row(at: Int(gtk_list_item_get_position(OpaquePointer(item)))) { onCancel(row) }
    }
    drawn[item] = view
    gtk_list_item_set_child(OpaquePointer(item), view.widget.widget)
  }

  private func fill(_ item: UnsafeMutableRawPointer) {
    guard let view = drawn[item] else { return }
    view.isBound = true
    write(item, view, .current)
  }

  private func write(_ item: UnsafeMutableRawPointer, _ view: UpcomingRowView, _ clock: LocalClock) {
    let position = Int(gtk_list_item_get_position(OpaquePointer(item)))
    guard list.entries.indices.contains(position) else { return }
    view.show(list.entries[position], clock)
    // The next ones, before the user sees the end.
    if position >= list.entries.count - 40 { onNearEnd() }
  }

  private func row(at position: Int) -> UpcomingRow? {
    list.entries.indices.contains(position) ? list.entries[position].row : nil
  }

  // MARK: Keys

  private func cancelSelected() {
    let selected = gtk_single_selection_get_selected(selection.to())
    if selected != window_no_position, let row = row(at: Int(selected)) { onCancel(row) }
  }

  func focus() { view.focus() }
}

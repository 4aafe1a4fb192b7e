// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import WindowModel

/// A list by day. Only the rows on the screen have widgets, so that ten thousand take no longer than ten.
@MainLoop final class DayList<Row: DayRow> {
  let widget: Scroller
  private let view: Widget
  private let rows = ObjectReference(taking: window_make_rows())
  private let selection: ObjectReference
  private(set) var entries: [DayEntry<Row>] = []
  /// That of the last time that the lines were shown; to read the zone for each line would hold up scrolling.
  private var clock = LocalClock.current
  /// The rows that are on the screen, by their item.
  private var drawn: [UnsafeMutableRawPointer: DayRowView] = [:]
  private let button: (icon: String, name: String)?
  private let hasTimes: Bool

  var onOpen: @MainLoop (Row) -> Void = { _ in }
  var onButton: @MainLoop (Row) -> Void = { _ in }
  /// Called when the user drops a row on another one, or on the heading of its day.
  var onDrop: @MainLoop (_ dragged: Row, _ target: Row, _ isHeading: Bool) -> Void = { _, _, _ in }
  private let isMovable: Bool
  private var dragged: Row?
  /// A row that gets the keyboard as soon as it has changed.
  private var followed: Row?
  var onNearEnd: @MainLoop () -> Void = {}

  /// - Parameters:
  ///   - name: what a screen reader says of it.
  ///   - button: the picture of the button of each row, and its name before that of the row; nil for none. Delete
  ///     presses it.
  ///   - hasTimes: whether its rows begin with a time of day.
  ///   - isMovable: whether rows can be dragged.
  init(
    _ name: String, button: (icon: String, name: String)? = nil, hasTimes: Bool = true, isMovable: Bool = false
  ) {
    (self.button, self.hasTimes, self.isMovable) = (button, hasTimes, isMovable)
    // The selection takes over a reference to its model, and the view one to the selection and one to the factory.
    g_object_ref(rows.pointer)
    selection = ObjectReference(taking: gtk_single_selection_new(rows.to()))
    gtk_single_selection_set_autoselect(selection.to(), 0)
    gtk_single_selection_set_can_unselect(selection.to(), 1)
    gtk_single_selection_set_selected(selection.to(), window_no_position)
    let factory = ObjectReference(taking: gtk_signal_list_item_factory_new())
    g_object_ref(selection.pointer)
    g_object_ref(factory.pointer)
    view = Widget(taking: gtk_list_view_new(selection.to(), factory.to())).styled("days").spoken(name)
    gtk_list_view_set_single_click_activate(view.to(), 1)
    let clamp = Widget(taking: adw_clamp_scrollable_new())
    adw_clamp_scrollable_set_maximum_size(clamp.to(), 720)
    adw_clamp_scrollable_set_child(clamp.to(), view.widget)
    widget = Scroller(clamp)
    factory.on("setup") { [unowned self] item in make(item) }
    factory.on("bind") { [unowned self] item in fill(item) }
    factory.on("unbind") { [unowned self] item in drawn[item]?.isBound = false }
    factory.on("teardown") { [unowned self] item in drawn[item] = nil }
    view.on("activate") { [unowned self] (position: Int) in if let row = row(at: position) { onOpen(row) } }
    if button != nil {
      for keys in ["Delete", "KP_Delete"] { onRowKeys(keys) { [unowned self] in onButton($0) } }
    }
  }

  /// Shows these lines, which differ from the present ones by `change`, and writes the others anew: distances change
  /// with the time.
  func show(_ entries: [DayEntry<Row>], _ change: ListChange?, _ clock: LocalClock) {
    let target = change.flatMap { self.target($0, in: entries) }
    (self.entries, self.clock) = (entries, clock)
    if let change { replace(change, target) }
    for (item, view) in drawn where view.isBound { write(item, view, clock) }
  }

  private func replace(_ change: ListChange, _ target: Int?) {
    let (position, removed, added) = (UInt32(change.position), UInt32(change.removed), UInt32(change.added))
    guard let target else { return window_splice_rows(rows.to(), position, removed, added) }
    // The old rows leave once another one has the keyboard. GTK would give it to something else, and lose keys meanwhile.
    window_splice_rows(rows.to(), position, 0, added)
    focus(target < change.position + change.added ? target : target + change.removed)
    window_splice_rows(rows.to(), position + added, removed, 0)
  }

  /// The line that gets the keyboard with these lines; nil if it stays where it is.
  private func target(_ change: ListChange, in new: [DayEntry<Row>]) -> Int? {
    if let row = followed, let position = new.lastIndex(where: { $0.row.isVersion(of: row) && $0.row != row }) {
      followed = nil
      return position
    }
    guard let (widget, old) = focusedRow, change.position..<change.position + change.removed ~= old else { return nil }
    // Not mapped if the user has scrolled elsewhere: the list would scroll back.
    return gtk_widget_get_mapped(widget) != 0 ? DayEntry.successor(of: old, in: entries, new) : nil
  }

  // MARK: Moving

  /// Calls `press` with the row that has the keyboard.
  func onRowKeys(_ trigger: String, _ press: @escaping @MainLoop (Row) -> Void) {
    view.onKeys(trigger) { [unowned self] in if let row = focused { press(row) } }
  }

  /// Gives the keyboard to a row as soon as it has changed.
  func follow(_ row: Row) { followed = row }

  /// Scrolls to the row that `isIt` finds, and gives it the keyboard.
  func show(_ isIt: (Row) -> Bool) {
    if let position = entries.firstIndex(where: { isIt($0.row) }) { focus(position) }
  }

  private func focus(_ position: Int) {
    gtk_single_selection_set_selected(selection.to(), UInt32(position))
    // This makes the row, if it is not on the screen.
    gtk_widget_activate_action_variant(view.widget, "list.scroll-to-item", g_variant_new_uint32(UInt32(position)))
    for (item, view) in drawn where view.isBound && self.position(of: item) == position {
      if let row = gtk_widget_get_parent(view.widget.widget) { gtk_widget_grab_focus(row) }
      return
    }
  }

  // MARK: Rows

  private func make(_ item: UnsafeMutableRawPointer) {
    let row: @MainLoop () -> Row? = { [unowned self] in self.row(at: position(of: item)) }
    let view = DayRowView(button: button, hasTime: hasTimes, isMovable: isMovable) { [unowned self] in
      if let row = row() { onButton(row) }
    }
    view.onDrag = ({ [unowned self] in dragged = row() }, { [unowned self] in dragged = nil })
    view.onDrop = { [unowned self] isHeading in
      guard let dragged, let target = row(), target != dragged else { return false }
      onDrop(dragged, target, isHeading)
      return true
    }
    drawn[item] = view
    gtk_list_item_set_child(OpaquePointer(item), view.widget.widget)
  }

  private func fill(_ item: UnsafeMutableRawPointer) {
    guard let view = drawn[item] else { return }
    view.isBound = true
    write(item, view, clock)
  }

  private func write(_ item: UnsafeMutableRawPointer, _ view: DayRowView, _ clock: LocalClock) {
    let position = position(of: item)
    guard entries.indices.contains(position) else { return }
    view.show(entries[position], clock)
    // The next ones, long before the user sees the end.
    if position >= entries.count - min(200, entries.count / 2) { onNearEnd() }
  }

  private func position(of item: UnsafeMutableRawPointer) -> Int {
    Int(gtk_list_item_get_position(OpaquePointer(item)))
  }

  private func row(at position: Int) -> Row? {
    entries.indices.contains(position) ? entries[position].row : nil
  }

  /// The row that has the keyboard, which need not be selected; else the selected one.
  private var focused: Row? {
    if let focusedRow { return row(at: focusedRow.position) }
    let selected = gtk_single_selection_get_selected(selection.to())
    return selected == window_no_position ? nil : row(at: Int(selected))
  }

  private var focusedRow: (widget: UnsafeMutablePointer<GtkWidget>, position: Int)? {
    for (item, view) in drawn where view.isBound {
      guard let widget = gtk_widget_get_parent(view.widget.widget), gtk_widget_is_focus(widget) != 0 else { continue }
      return (widget, position(of: item))
    }
    return nil
  }
}

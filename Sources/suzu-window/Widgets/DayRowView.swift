// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import WindowModel

/// A row of a list by day: a time, a title, what else there is to say and, above the first one of a day, its heading.
@MainLoop final class DayRowView {
  let widget: Widget
  /// Called when the row is dragged, when that ends, and when another row is dropped on its heading or on itself.
  var onDrag: (begin: @MainLoop () -> Void, end: @MainLoop () -> Void) = ({}, {})
  var onDrop: @MainLoop (_ isHeading: Bool) -> Bool = { _ in false }
  /// Whether it shows an entry of the list.
  var isBound = false
  private let heading = Label().styled("heading", "day")
  private let time = Label().wide(5).styled("numeric", "time")
  private let title = Label().styled("title")
  private let subtitle = Label().styled("caption", "dim-label")
  private let button: (name: String, button: Button)?

  /// - Parameter isMovable: whether the user can drag it, and drop others on it.
  init(
    button: (icon: String, name: String)?, hasTime: Bool, isMovable: Bool, _ press: @escaping @MainLoop () -> Void
  ) {
    self.button = button.map { button in
      (button.name, Button(icon: button.icon, named: button.name, press).styled("flat", "circular").centered())
    }
    // A row with something in it that takes the focus would not take it itself, and Enter would press that. Delete does
    // what the button does.
    if let button = self.button { gtk_widget_set_focusable(button.button.widget, 0) }
    let texts = Box(.column, spacing: 2, [title, subtitle]).expanding(horizontally: true).centered()
    let row = Box(.row, spacing: 12, [time.centered(), texts]).styled("request")
    time.isVisible = hasTime
    if let button = self.button { row.append(button.button) }
    widget = Box(.column, [heading, row])
    guard isMovable else { return }
    row.onDrag(begin: { [unowned self] in onDrag.begin() }, end: { [unowned self] in onDrag.end() })
    row.onDrop { [unowned self] in onDrop(false) }
    heading.onDrop { [unowned self] in onDrop(true) }
  }

  func show<Row: DayRow>(_ entry: DayEntry<Row>, _ clock: LocalClock) {
    let row = entry.row
    heading.isVisible = entry.heading != nil
    heading.text = entry.heading ?? ""
    time.text = row.time
    title.text = row.title
    subtitle.text = row.subtitle(clock)
    button?.button.spoken("\(button?.name ?? "") \(row.title)")
    // What the list makes of it has the focus, and so the name.
    if let item = gtk_widget_get_parent(widget.widget) { window_set_label(item, row.spoken(clock)) }
  }
}

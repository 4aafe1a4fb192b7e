// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import WindowModel

/// A row of the page *Upcoming*: a request, and above the first one of a day its heading.
@MainLoop final class UpcomingRowView {
  let widget: Widget
  /// Whether it shows an entry of the list.
  var isBound = false
  private let heading = Label().styled("heading", "day")
  private let time = Label().wide(5).styled("numeric", "time")
  private let title = Label().styled("title")
  private let subtitle = Label().styled("caption", "dim-label")
  private let cancel: Button

  init(cancel press: @escaping @MainLoop () -> Void) {
    cancel = Button(icon: "user-trash-symbolic", named: "Cancel", press).styled("flat", "circular").centered()
    let texts = Box(.column, spacing: 2, [title, subtitle]).expanding(horizontally: true).centered()
    let request = Box(.row, spacing: 12, [time.centered(), texts, cancel]).styled("request")
    widget = Box(.column, [heading, request])
  }

  func show(_ entry: UpcomingList.Entry, _ clock: LocalClock) {
    let row = entry.row
    heading.isVisible = entry.heading != nil
    heading.text = entry.heading ?? ""
    time.text = row.time
    title.text = row.title
    subtitle.text = row.subtitle(clock)
    cancel.spoken("Cancel \(row.title)")
    // What the list makes of it has the focus, and so the name.
    if let item = gtk_widget_get_parent(widget.widget) { window_set_label(item, row.spoken(clock)) }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import WindowModel

/// A row of the page *Upcoming*: the heading of a day, or a request.
@MainLoop final class UpcomingRowView {
  let widget: Pages
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
    widget = Pages([("day", heading), ("request", request)])
    // Each as high as it needs to be.
    gtk_stack_set_vhomogeneous(widget.to(), 0)
  }

  func show(_ entry: UpcomingList.Entry, _ clock: LocalClock) {
    let name: String
    switch entry {
    case .day(let day):
      widget.shown = "day"
      heading.text = day
      name = day
    case .request(let row):
      widget.shown = "request"
      time.text = row.time
      title.text = row.title
      subtitle.text = row.subtitle(clock)
      cancel.spoken("Cancel \(row.title)")
      name = row.spoken(clock)
    }
    // What the list makes of it has the focus, and so the name.
    if let item = gtk_widget_get_parent(widget.widget) { window_set_label(item, name) }
  }
}

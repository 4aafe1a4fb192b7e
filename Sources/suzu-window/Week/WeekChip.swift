// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import WindowModel

/// One date of a week's picture: its time and its title. The keyboard stops at it, and the mouse drags it.
@MainLoop final class WeekChip {
  let item: WeekPicture.Item
  let widget: Item

  init(_ item: WeekPicture.Item, open: @escaping @MainLoop () -> Void) {
    self.item = item
    let time = Label(item.time).styled("caption", "numeric", "time")
    time.isVisible = item.date != nil
    let title = Label(item.row.title).styled("caption", "title").narrow()
    widget = Item(Box(.column, [time, title])).styled("chip")
    widget.set("later", item.isLater)
    gtk_widget_set_tooltip_text(widget.widget, item.row.title)
    widget.onClick(open)
    for keys in ["Return", "KP_Enter", "space"] { widget.onKeys(keys, open) }
  }

  /// Writes the name for screen readers anew: distances change with the time.
  func write(_ clock: LocalClock) { widget.spoken(item.spoken(clock)) }
}

// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import WindowModel

/// What comes in one hour of a day, or has no date: its chips, and how many more there are.
@MainLoop final class WeekCellView {
  let cell: WeekPicture.Cell
  let widget: Box
  let chips: [WeekChip]
  private let more: Button?

  /// - Parameters:
  ///   - name: what a screen reader says of the list.
  ///   - isRow: whether its chips are beside each other.
  init(
    _ cell: WeekPicture.Cell, named name: String, isRow: Bool, open: @escaping @MainLoop (WeekPicture.Item) -> Void,
    more showMore: @escaping @MainLoop (WeekPicture.Item) -> Void
  ) {
    self.cell = cell
    chips = cell.shown.map { item in WeekChip(item) { open(item) } }
    more = cell.more.map { text in
      Button(text) { if let first = cell.firstHidden { showMore(first) } }.styled("flat", "more")
        .spoken(text, "\(name), in the list")
    }
    widget = Box(role: GTK_ACCESSIBLE_ROLE_LIST, chips.map(\.widget)).styled("chips").spoken(name)
    if let more { widget.append(more) }
    guard isRow else { return }
    gtk_orientable_set_orientation(widget.to(), GTK_ORIENTATION_HORIZONTAL)
    gtk_box_set_homogeneous(widget.to(), 1)
  }

  func write(_ clock: LocalClock) { for chip in chips { chip.write(clock) } }

  /// The line that has the keyboard; nil if none of them has it.
  var focusedLine: Int? {
    if let line = chips.firstIndex(where: { $0.widget.hasFocus }) { return line }
    return more?.hasFocus == true ? chips.count : nil
  }

  func focus(line: Int) { if chips.indices.contains(line) { chips[line].widget.focus() } else { more?.focus() } }
}

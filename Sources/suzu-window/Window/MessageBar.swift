// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

/// Messages at the lower edge of a window, one at a time. A message with *Undo* ends the one before it; other texts
/// wait for their turn.
///
/// Not libadwaita's toasts: version 1.2 uses freed memory when one of them ends while it still slides in.
@MainLoop final class MessageBar {
  /// The content of the window with the messages above it.
  let widget = Widget(taking: gtk_overlay_new())
  private let label = Label(lines: 0).expanding(horizontally: true)
  private let button = Button("_Undo") {}
  private let bar: Box
  private var shown: UndoMessage?
  private var waiting: [String] = []
  private var timer: Timer?

  init(over content: Widget) {
    bar = Box(.row, spacing: 12, [label.centered(), button.styled("flat")]).styled("osd", "message")
    bar.isVisible = false
    gtk_widget_set_halign(bar.widget, GTK_ALIGN_CENTER)
    gtk_widget_set_valign(bar.widget, GTK_ALIGN_END)
    bar.margins(12)
    gtk_overlay_set_child(widget.to(), content.widget)
    gtk_overlay_add_overlay(widget.to(), bar.widget)
    widget.expanding(vertically: true)
    button.on("clicked") { [weak self] in self?.shown?.undo() }
  }

  func show(_ message: UndoMessage) {
    let earlier = shown
    shown = message
    write(message.text, seconds: message.seconds, hasButton: true)
    if earlier !== message { earlier?.dismiss() }
  }

  func hide(_ message: UndoMessage) {
    guard shown === message else { return }
    shown = nil
    showNext()
  }

  func say(_ text: String) {
    if shown != nil || bar.isVisible { return waiting.append(text) }
    write(text, seconds: 5, hasButton: false)
  }

  private func showNext() {
    timer = nil
    bar.isVisible = false
    if !waiting.isEmpty { write(waiting.removeFirst(), seconds: 5, hasButton: false) }
  }

  private func write(_ text: String, seconds: UInt32, hasButton: Bool) {
    label.text = text
    button.isVisible = hasButton
    bar.isVisible = true
    timer = Timer(every: seconds) { [weak self] in
      guard let self else { return }
      if let shown { shown.dismiss() } else { showNext() }
    }
  }
}

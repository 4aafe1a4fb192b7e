// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

/// A text. What is written to it is shown as it is: markup and mnemonics are off.
@MainLoop final class Label: Widget {
  init(_ text: String = "", lines: Int32 = 1) {
    super.init(taking: gtk_label_new(nil))
    gtk_label_set_xalign(to(), 0)
    if lines == 1 {
      gtk_label_set_ellipsize(to(), PANGO_ELLIPSIZE_END)
    } else {
      gtk_label_set_wrap(to(), 1)
      gtk_label_set_wrap_mode(to(), PANGO_WRAP_WORD_CHAR)
    }
    gtk_label_set_text(to(), text)
  }

  var text: String {
    get { String(cString: gtk_label_get_text(to())) }
    set { if newValue != text { gtk_label_set_text(to(), newValue) } }
  }

  /// Lets the user select and copy it.
  @discardableResult
  func selectable() -> Self {
    gtk_label_set_selectable(to(), 1)
    return self
  }

  /// Takes the keyboard, with the cursor at the start and nothing selected: keys move and copy, and press nothing.
  override func focus() {
    super.focus()
    if gtk_label_get_selectable(to()) != 0 { gtk_label_select_region(to(), 0, 0) }
  }

  /// Takes at least this height, with the text at the top.
  func reserve(height: Int32) {
    gtk_widget_set_size_request(widget, -1, height)
    gtk_label_set_yalign(to(), 0)
  }

  /// As high as lines of this many characters take: GTK asks a text that it scrolls for its height before it has a
  /// width.
  @discardableResult
  func high(forLinesOf characters: Int32) -> Self {
    gtk_label_set_max_width_chars(to(), characters)
    return self
  }

  /// As wide as the text, in characters, so that columns stand below each other.
  @discardableResult
  func wide(_ characters: Int32) -> Self {
    gtk_label_set_width_chars(to(), characters)
    return self
  }

  /// Takes no room of its own: as wide as what it is in, and cut there.
  func narrow() -> Self {
    gtk_label_set_width_chars(to(), 1)
    gtk_label_set_max_width_chars(to(), 1)
    return self
  }
}

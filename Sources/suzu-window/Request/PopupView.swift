// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import WindowModel

/// A popup as it will be shown, while its request is written.
@MainLoop final class PopupView {
  let widget: Widget
  private let title = Label("", lines: 1).styled("heading")
  private let body = Label("", lines: 0)
  private let remark = Label("", lines: 0).styled("caption", "dim-label")
  private let card: Box

  init() {
    let icon = Widget(taking: gtk_image_new_from_icon_name("dev.suzu.Suzu"))
    gtk_image_set_pixel_size(icon.to(), 32)
    gtk_widget_set_valign(icon.widget, GTK_ALIGN_START)
    let texts = Box(.column, spacing: 3, [title, body]).expanding(horizontally: true)
    // Two lines, so that the sheet need not grow with them.
    body.reserve(height: 38)
    gtk_label_set_lines(body.to(), 2)
    gtk_label_set_ellipsize(body.to(), PANGO_ELLIPSIZE_END)
    card = Box(.row, spacing: 12, [icon, texts.centered()]).styled("card", "popup")
    widget = Box(.column, spacing: 6, [card, remark])
  }

  func show(_ preview: PopupPreview) {
    title.text = preview.title
    body.text = preview.body
    remark.text = preview.remark
    card.spoken(preview.spoken)
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

/// A group of settings below a heading.
@MainLoop final class SettingGroup: Widget {
  private let rows = Box(.column)

  init(_ title: String, _ settings: [Widget]) {
    super.init(taking: gtk_box_new(GTK_ORIENTATION_VERTICAL, 6))
    for part in [Label(title).styled("heading"), rows.styled("card")] { gtk_box_append(to(), part.widget) }
    for setting in settings { rows.append(setting) }
  }

  func append(_ setting: Widget) { rows.append(setting) }
}

/// A line of a group: what it is about, and the widget that changes it.
@MainLoop final class Setting: Widget {
  private let note = Label("", lines: 0).styled("caption", "dim-label")

  init(_ title: String, _ control: Widget) {
    super.init(taking: gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12))
    let texts = Box(.column, spacing: 2, [Label(title, lines: 0), note]).expanding(horizontally: true).centered()
    note.isVisible = false
    for part in [texts, control.centered()] { gtk_box_append(to(), part.widget) }
    margins(vertical: 9, horizontal: 12)
  }

  /// The small line below the title; nil for none.
  var remark: String? {
    didSet {
      note.text = remark ?? ""
      note.isVisible = remark != nil
    }
  }
}

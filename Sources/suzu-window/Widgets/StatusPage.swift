// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

/// A page that says one thing: that a list is empty, or what is wrong.
@MainLoop final class StatusPage: Widget {
  init(icon: String, _ title: String, _ text: String = "", button: Button? = nil) {
    super.init(taking: adw_status_page_new())
    adw_status_page_set_icon_name(to(), icon)
    adw_status_page_set_title(to(), title)
    if let button {
      gtk_widget_set_halign(button.widget, GTK_ALIGN_CENTER)
      adw_status_page_set_child(to(), button.styled("pill", "suggested-action").widget)
    }
    expanding(vertically: true)
    say(text)
  }

  func set(title: String) { adw_status_page_set_title(to(), title) }

  func say(_ text: String) {
    // It reads markup.
    guard let escaped = g_markup_escape_text(text, -1) else { return }
    adw_status_page_set_description(to(), escaped)
    g_free(escaped)
  }
}

/// Pages of which one is shown. The others are hidden: those of a GtkStack would still be read by a screen reader.
@MainLoop final class Pages: Widget {
  private let pages: [(name: String, page: Widget)]

  init(_ pages: [(name: String, page: Widget)]) {
    self.pages = pages
    super.init(taking: gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
    for (name, page) in pages {
      gtk_box_append(to(), page.widget)
      page.isVisible = name == shown
    }
    expanding(vertically: true)
  }

  var shown = "wait" {
    didSet {
      if shown == oldValue { return }
      for (name, page) in pages { page.isVisible = name == shown }
    }
  }
}

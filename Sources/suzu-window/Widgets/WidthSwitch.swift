// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

/// Nothing to see: it tells whether a page has a certain width.
@MainLoop final class WidthSwitch: Widget {
  private let wide = Widget(taking: gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0))

  /// - Parameter change: called when the answer changes.
  init(atLeast width: Int32, _ change: @escaping @MainLoop () -> Void) {
    super.init(taking: adw_squeezer_new())
    adw_squeezer_set_homogeneous(to(), 0)
    gtk_widget_set_size_request(wide.widget, width, 0)
    // It shows the first one that has enough room.
    adw_squeezer_add(to(), wide.widget)
    adw_squeezer_add(to(), gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0))
    on("notify::visible-child", change)
  }

  var isWide: Bool { adw_squeezer_get_visible_child(to()) == wide.widget }
}

// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

/// Widgets in a row or in a column.
@MainLoop final class Box: Widget {
  enum Direction { case row, column }

  init(_ direction: Direction, spacing: Int32 = 0, _ children: [Widget] = []) {
    super.init(
      taking: gtk_box_new(direction == .row ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL, spacing))
    for child in children { append(child) }
  }

  /// A column that screen readers know as something else, or not at all.
  init(role: GtkAccessibleRole, _ children: [Widget] = []) {
    super.init(taking: window_make_box(GTK_ORIENTATION_VERTICAL, role))
    for child in children { append(child) }
  }

  func append(_ child: Widget) { gtk_box_append(to(), child.widget) }
}

/// An item that the keyboard stops at, with what is in it.
@MainLoop final class Item: Widget {
  init(_ child: Widget) {
    super.init(taking: window_make_frame(GTK_ACCESSIBLE_ROLE_LIST_ITEM))
    gtk_frame_set_child(to(), child.widget)
    styled("flat")
  }
}

/// Keeps a page readable on a wide screen.
@MainLoop final class Clamp: Widget {
  init(_ child: Widget, width: Int32 = 640) {
    super.init(taking: adw_clamp_new())
    adw_clamp_set_maximum_size(to(), width)
    adw_clamp_set_child(to(), child.widget)
  }
}

/// Scrolls what is higher than the window.
@MainLoop final class Scroller: Widget {
  init(_ child: Widget) {
    super.init(taking: gtk_scrolled_window_new())
    gtk_scrolled_window_set_policy(to(), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
    gtk_scrolled_window_set_child(to(), child.widget)
    expanding(vertically: true)
  }
}

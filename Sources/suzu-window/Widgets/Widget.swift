// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

/// A widget. It lives as long as its parent or this object.
@MainLoop class Widget: ObjectReference {
  var widget: UnsafeMutablePointer<GtkWidget> { to() }

  // MARK: Looks

  @discardableResult
  func styled(_ classes: String...) -> Self {
    for name in classes { gtk_widget_add_css_class(widget, name) }
    return self
  }

  func set(_ style: String, _ isOn: Bool) {
    if isOn { gtk_widget_add_css_class(widget, style) } else { gtk_widget_remove_css_class(widget, style) }
  }

  var isVisible: Bool {
    get { gtk_widget_get_visible(widget) != 0 }
    set { gtk_widget_set_visible(widget, newValue ? 1 : 0) }
  }

  var isSensitive: Bool {
    get { gtk_widget_get_sensitive(widget) != 0 }
    set { gtk_widget_set_sensitive(widget, newValue ? 1 : 0) }
  }

  @discardableResult
  func expanding(horizontally: Bool = false, vertically: Bool = false) -> Self {
    if horizontally { gtk_widget_set_hexpand(widget, 1) }
    if vertically { gtk_widget_set_vexpand(widget, 1) }
    return self
  }

  @discardableResult
  func margins(_ all: Int32) -> Self { margins(vertical: all, horizontal: all) }

  @discardableResult
  func margins(vertical: Int32, horizontal: Int32) -> Self {
    gtk_widget_set_margin_top(widget, vertical)
    gtk_widget_set_margin_bottom(widget, vertical)
    gtk_widget_set_margin_start(widget, horizontal)
    gtk_widget_set_margin_end(widget, horizontal)
    return self
  }

  @discardableResult
  func centered() -> Self {
    gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
    return self
  }

  // MARK: Screen readers

  /// What a screen reader says of it.
  @discardableResult
  func spoken(_ name: String, _ description: String? = nil) -> Self {
    window_set_label(widget, name)
    if let description { window_set_description(widget, description) }
    return self
  }

  // MARK: Dragging

  /// Lets the user drag it.
  func onDrag(begin: @escaping @MainLoop () -> Void, end: @escaping @MainLoop () -> Void) {
    let source = ObjectReference(sharing: window_make_drag_source())
    source.on("drag-begin", begin)
    source.on("drag-end", end)
    // The widget takes over the reference of a new controller.
    gtk_widget_add_controller(widget, source.to())
  }

  /// Calls `drop` when the user drops a row of this program on it.
  func onDrop(_ drop: @escaping @MainLoop () -> Bool) {
    let target = ObjectReference(sharing: window_make_drop_target())
    target.onQuestion("drop", drop)
    gtk_widget_add_controller(widget, target.to())
  }

  /// Calls `click` when the user clicks it with the mouse.
  func onClick(_ click: @escaping @MainLoop () -> Void) {
    let gesture = ObjectReference(sharing: gtk_gesture_click_new())
    gesture.on("released", click)
    gtk_widget_add_controller(widget, gesture.to())
  }

  // MARK: Keys

  var hasFocus: Bool { gtk_widget_is_focus(widget) != 0 }

  func focus() { gtk_widget_grab_focus(widget) }

  /// Calls `call` when these keys are pressed while it has the focus, or what is in it.
  func onKeys(_ trigger: String, _ call: @escaping @MainLoop () -> Void) {
    window_add_shortcut_call(
      widget, trigger,
      { _, _, box in
        Handler.run(box)
        return 1
      }, Handler<Void>(call).retained, { Handler<Void>.drop($0) })
  }
}

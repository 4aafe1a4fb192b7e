// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

/// A button with a text, or with a picture and a name.
@MainLoop final class Button: Widget {
  init(_ text: String, _ press: @escaping @MainLoop () -> Void) {
    super.init(taking: gtk_button_new_with_mnemonic(text))
    // GTK 4.8 would have the underscore read.
    spoken(String(text.filter { $0 != "_" }))
    on("clicked", press)
  }

  /// Shows another text.
  func say(_ text: String) {
    gtk_button_set_label(to(), text)
    spoken(text)
  }

  /// A button with a text of an app: an underscore is a character like others, and a long text has several lines.
  init(plain text: String, _ press: @escaping @MainLoop () -> Void) {
    super.init(taking: gtk_button_new())
    let label = Label(text, lines: 0).high(forLinesOf: 34)
    gtk_label_set_justify(label.to(), GTK_JUSTIFY_CENTER)
    gtk_label_set_xalign(label.to(), 0.5)
    gtk_button_set_child(to(), label.widget)
    spoken(text)
    on("clicked", press)
  }

  init(icon: String, named name: String, _ press: @escaping @MainLoop () -> Void) {
    super.init(taking: gtk_button_new_from_icon_name(icon))
    gtk_widget_set_tooltip_text(widget, name)
    spoken(name)
    on("clicked", press)
  }
}

/// A button that stays down.
@MainLoop final class Toggle: Widget {
  private let silence = Silence()

  init(_ text: String, named name: String, isOn: Bool, _ change: @escaping @MainLoop (Bool) -> Void) {
    super.init(taking: gtk_toggle_button_new_with_label(text))
    gtk_widget_set_tooltip_text(widget, name)
    spoken(name)
    gtk_toggle_button_set_active(to(), isOn ? 1 : 0)
    // The button may outlive this object.
    let button: UnsafeMutablePointer<GtkToggleButton> = to()
    let silence = silence
    on("toggled") { if !silence.isOn { change(gtk_toggle_button_get_active(button) != 0) } }
  }

  func set(_ isOn: Bool) { gtk_toggle_button_set_active(to(), isOn ? 1 : 0) }

  /// Shows a state that the program has: nothing is called.
  func show(_ isOn: Bool) { silence.during { gtk_toggle_button_set_active(to(), isOn ? 1 : 0) } }
}

/// An on/off switch.
@MainLoop final class Switch: Widget {
  private let silence = Silence()

  init(named name: String, isOn: Bool, _ change: @escaping @MainLoop (Bool) -> Void) {
    super.init(taking: gtk_switch_new())
    spoken(name)
    gtk_switch_set_active(to(), isOn ? 1 : 0)
    centered()
    // The switch may outlive this object.
    let button: OpaquePointer = to()
    let silence = silence
    on("notify::active") { if !silence.isOn { change(gtk_switch_get_active(button) != 0) } }
  }

  /// Shows a state that the center has: nothing is called.
  func show(_ isOn: Bool) { silence.during { gtk_switch_set_active(to(), isOn ? 1 : 0) } }
}

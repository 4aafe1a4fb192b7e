// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

/// A list to choose one text from.
@MainLoop final class Choice: Widget {
  private let silence = Silence()

  init(_ texts: [String], named name: String, chosen: Int, _ change: @escaping @MainLoop (Int) -> Void) {
    let model = gtk_string_list_new(nil)
    for text in texts { gtk_string_list_append(model, text) }
    // The drop-down takes over the reference of its model.
    super.init(taking: gtk_drop_down_new(model, nil))
    spoken(name)
    gtk_drop_down_set_selected(to(), UInt32(chosen))
    // The list may outlive this object.
    let list: OpaquePointer = to()
    let silence = silence
    on("notify::selected") { if !silence.isOn { change(Int(gtk_drop_down_get_selected(list))) } }
  }

  /// Replaces the texts; nothing is called.
  func set(_ texts: [String], chosen: Int) {
    silence.during {
      let model = ObjectReference(taking: gtk_string_list_new(nil))
      for text in texts { gtk_string_list_append(model.to(), text) }
      gtk_drop_down_set_model(to(), model.to())
      gtk_drop_down_set_selected(to(), UInt32(chosen))
    }
  }

  /// Shows a choice that the center has: nothing is called.
  func show(_ chosen: Int) {
    if Int(gtk_drop_down_get_selected(to())) == chosen { return }
    silence.during { gtk_drop_down_set_selected(to(), UInt32(chosen)) }
  }
}

/// A number between two others, with two digits.
@MainLoop final class NumberField: Widget {
  init(named name: String, _ value: Int, upTo last: Int, _ change: @escaping @MainLoop (Int) -> Void) {
    super.init(taking: gtk_spin_button_new_with_range(0, Double(last), 1))
    spoken(name)
    gtk_spin_button_set_wrap(to(), 1)
    gtk_spin_button_set_numeric(to(), 1)
    gtk_editable_set_width_chars(to(), 2)
    // The field may outlive this object.
    let field: OpaquePointer = to()
    // Shows 7 as `07`.
    onQuestion("output") {
      let value = gtk_spin_button_get_value_as_int(field)
      gtk_editable_set_text(field, (value < 10 ? "0" : "") + "\(value)")
      return true
    }
    gtk_spin_button_set_value(to(), Double(value))
    gtk_orientable_set_orientation(to(), GTK_ORIENTATION_VERTICAL)
    on("value-changed") { change(Int(gtk_spin_button_get_value_as_int(field))) }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

/// A message at the bottom of the window with a button, for some seconds.
@MainLoop enum Toast {
  static func make(_ text: String, button: String, seconds: UInt32 = 6) -> ObjectReference {
    let toast = ObjectReference(taking: adw_toast_new(""))
    say(text, on: toast)
    adw_toast_set_button_label(toast.to(), button)
    adw_toast_set_timeout(toast.to(), seconds)
    return toast
  }

  static func say(_ text: String, on toast: ObjectReference) {
    // It reads markup.
    guard let escaped = g_markup_escape_text(text, -1) else { return }
    adw_toast_set_title(toast.to(), escaped)
    g_free(escaped)
  }
}

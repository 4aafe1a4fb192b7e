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

  /// Takes it away a moment later: libadwaita 1.2 uses freed memory if a message ends while it still slides in.
  static func dismiss(_ toast: ObjectReference, after milliseconds: UInt32 = 700) {
    adw_toast_set_button_label(toast.to(), nil)
    Task {
      await MainLoop.pause(milliseconds: milliseconds)
      adw_toast_dismiss(toast.to())
    }
  }

  static func say(_ text: String, on toast: ObjectReference) {
    // It reads markup.
    guard let escaped = g_markup_escape_text(text, -1) else { return }
    adw_toast_set_title(toast.to(), escaped)
    g_free(escaped)
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

/// A message at the lower edge with the button *Undo*. It leaves after some seconds, or when another one comes.
@MainLoop final class UndoMessage {
  private let toast: ObjectReference
  private var end: (@MainLoop (_ isUndone: Bool) -> Void)?

  /// - Parameter end: called once, when the message leaves.
  init(_ text: String, seconds: UInt32 = 6, _ end: @escaping @MainLoop (_ isUndone: Bool) -> Void) {
    self.end = end
    toast = Toast.make(text, button: "Undo", seconds: seconds)
    toast.on("button-clicked") { [weak self] in self?.decide(isUndone: true) }
    toast.on("dismissed") { [weak self] in self?.decide(isUndone: false) }
  }

  func show(in overlay: Widget) {
    // The overlay takes over a reference.
    g_object_ref(toast.pointer)
    adw_toast_overlay_add_toast(overlay.to(), toast.to())
  }

  func undo() { decide(isUndone: true) }

  func dismiss() { decide(isUndone: false) }

  private func decide(isUndone: Bool) {
    guard let end = end.take() else { return }
    Toast.dismiss(toast)
    end(isUndone)
  }
}

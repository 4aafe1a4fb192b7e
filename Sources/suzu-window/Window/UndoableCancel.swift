// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import WindowModel

/// A request that the user has cancelled, and may still bring back: it is hidden at once, and cancelled when its message
/// leaves the window. Storing it anew would lose what only the center knows of it, such as who asked for it.
@MainLoop final class UndoableCancel {
  let name: RequestName
  private let toast: ObjectReference
  private var end: (@MainLoop (_ isUndone: Bool) -> Void)?

  /// - Parameter end: called once, when it is decided.
  init(_ name: RequestName, saying text: String, _ end: @escaping @MainLoop (_ isUndone: Bool) -> Void) {
    (self.name, self.end) = (name, end)
    toast = Toast.make(text, button: "Undo")
    toast.on("button-clicked") { [weak self] in self?.decide(isUndone: true) }
    toast.on("dismissed") { [weak self] in self?.decide(isUndone: false) }
  }

  func show(in overlay: Widget) {
    // The overlay takes over a reference.
    g_object_ref(toast.pointer)
    adw_toast_overlay_add_toast(overlay.to(), toast.to())
  }

  func undo() { decide(isUndone: true) }

  /// Cancels it without waiting for the message.
  func finish() { decide(isUndone: false) }

  private func decide(isUndone: Bool) {
    guard let end = end.take() else { return }
    Toast.dismiss(toast)
    end(isUndone)
  }
}

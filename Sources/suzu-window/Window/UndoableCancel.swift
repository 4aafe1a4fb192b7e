// SPDX-License-Identifier: Apache-2.0
internal import WindowModel

/// A request that the user has cancelled, and may still bring back: it is hidden at once, and cancelled when its
/// message leaves the window. Storing it anew would lose what only the center knows of it, such as who asked for it.
@MainLoop final class UndoableCancel {
  let name: RequestName
  private let message: UndoMessage

  /// - Parameter end: called once, when it is decided.
  init(_ name: RequestName, saying text: String, _ end: @escaping @MainLoop (_ isUndone: Bool) -> Void) {
    self.name = name
    message = UndoMessage(text, end)
  }

  func show(in bar: MessageBar) { message.show(in: bar) }

  func undo() { message.undo() }

  /// Cancels it without waiting for the message.
  func finish() { message.dismiss() }
}

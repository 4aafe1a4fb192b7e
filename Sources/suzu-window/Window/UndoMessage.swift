// SPDX-License-Identifier: Apache-2.0

/// A message with the button *Undo*. It leaves after some seconds, or when another one comes.
@MainLoop final class UndoMessage {
  private(set) var text: String
  let seconds: UInt32
  private weak var bar: MessageBar?
  private var end: (@MainLoop (_ isUndone: Bool) -> Void)?

  /// - Parameter end: called once, when the message leaves.
  init(_ text: String, seconds: UInt32 = 6, _ end: @escaping @MainLoop (_ isUndone: Bool) -> Void) {
    (self.text, self.seconds, self.end) = (text, seconds, end)
  }

  func show(in bar: MessageBar) {
    self.bar = bar
    bar.show(self)
  }

  /// Shows another text, from now on for as long.
  func say(_ text: String) {
    self.text = text
    bar?.show(self)
  }

  func undo() { decide(isUndone: true) }

  func dismiss() { decide(isUndone: false) }

  private func decide(isUndone: Bool) {
    guard let end = end.take() else { return }
    bar?.hide(self)
    end(isUndone)
  }
}

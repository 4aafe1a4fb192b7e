// SPDX-License-Identifier: Apache-2.0
public import EventLoop

/// A dialog in which the user types a line, drawn by `zenity` or `kdialog`.
public struct Prompt: Hashable, Sendable {
  /// The result of the dialog.
  public enum Ending: Hashable, Sendable {
    /// The typed text, which may be empty.
    case answered(String)
    /// The user cancelled the dialog.
    case cancelled
    /// The calling task was cancelled.
    case closed
    /// The dialog program failed.
    case failed(String)
    /// No dialog program is installed.
    case unavailable
  }

  /// The window title. The title and the text are on the command line, which all users of the machine can read: neither
  /// zenity nor kdialog accepts them in another way.
  public var title: String
  /// The text above the line.
  public var text: String

  /// Creates a prompt; all texts are plain, and none may be private.
  public init(title: String, text: String = "") {
    self.title = title
    self.text = text
  }

  /// Whether a program that can show a prompt is installed now.
  public static var isAvailable: Bool { DialogProgram.present != nil }

  /// Shows the dialog; the token raises its window. Cancelling the task closes it.
  public func ask(activationToken: String?, on loop: EventLoop) async -> Ending {
    guard let program = DialogProgram.present else { return .unavailable }
    switch await program.show(arguments(for: program), activationToken: activationToken, on: loop) {
    case .agreed(let output): return .answered(output)
    case .cancelled: return .cancelled
    case .closed: return .closed
    case .failed(let why): return .failed(why)
    }
  }

  private func arguments(for program: DialogProgram) -> [String] {
    let title = DialogText.line(title)
    let label = DialogText.paragraph(text)
    switch program {
    case .zenity:
      return ["--entry", "--title=" + title, "--text=" + DialogText.zenityLabel(label), "--width=420"]
    case .kdialog:
      return ["--title=" + title, "--inputbox=" + DialogText.kdialogLabel(label)]
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import EventLoop

/// One line that the user types, by `zenity` or `kdialog`.
public struct Prompt: Hashable, Sendable {
  /// What became of it.
  public enum Ending: Hashable, Sendable {
    /// What the user typed, which may be nothing.
    case answered(String)
    /// The user did not want to.
    case cancelled
    /// By us: the task that asked was cancelled.
    case closed
    /// The dialog ended by itself.
    case failed(String)
    /// There is no program that could show it.
    case unavailable
  }

  /// What the window is called.
  public var title: String
  /// What stands above the line.
  public var text: String
  /// What the line is for. Neither program shows it inside of the line, so it stands above, below the text.
  public var placeholder: String
  /// The label of the button that agrees; empty: the program's own. kdialog has no other for a line.
  public var button: String

  /// A line to be typed; all texts are plain.
  public init(title: String, text: String = "", placeholder: String = "", button: String = "") {
    self.title = title
    self.text = text
    self.placeholder = placeholder
    self.button = button
  }

  /// Shows it, with the token that lets it come to the front. Cancelling the task closes it.
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
    let label = DialogText.paragraph([text, placeholder].filter { !$0.isEmpty }.joined(separator: "\n"))
    switch program {
    case .zenity:
      let agreement = button.isEmpty ? [] : ["--ok-label=" + DialogText.line(button)]
      return ["--entry", "--title=" + title, "--text=" + DialogText.zenityLabel(label), "--width=420"] + agreement
    case .kdialog:
      return ["--title=" + title, "--inputbox=" + DialogText.kdialogLabel(label)]
    }
  }
}

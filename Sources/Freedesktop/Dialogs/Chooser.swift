// SPDX-License-Identifier: Apache-2.0
public import EventLoop

/// A small list from which the user takes one, by `zenity` or `kdialog`.
public struct Chooser: Hashable, Sendable {
  /// What became of it.
  public enum Ending: Hashable, Sendable {
    /// The index of the choice: labels may be equal.
    case chosen(Int)
    /// The user took none.
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
  /// What stands above the list.
  public var text: String
  /// The labels.
  public var choices: [String]

  /// A list; all texts are plain.
  public init(title: String, text: String = "", choices: [String]) {
    self.title = title
    self.text = text
    self.choices = choices
  }

  /// Whether there is a program that could show one at this moment.
  public static var isAvailable: Bool { DialogProgram.present != nil }

  /// Shows it, with the token that lets it come to the front. Cancelling the task closes it.
  public func ask(activationToken: String?, on loop: EventLoop) async -> Ending {
    guard let program = DialogProgram.present else { return .unavailable }
    // zenity would read rows from its input, and kdialog refuses an empty list.
    guard !choices.isEmpty else { return .failed("nothing to choose from") }
    switch await program.show(arguments(for: program), activationToken: activationToken, on: loop) {
    case .agreed(let output):
      // Agreed to, with no row selected.
      if output.isEmpty { return .cancelled }
      guard let index = Int(output), choices.indices.contains(index) else {
        return .failed("\(program.rawValue): an answer that is none of the choices")
      }
      return .chosen(index)
    case .cancelled: return .cancelled
    case .closed: return .closed
    case .failed(let why): return .failed(why)
    }
  }

  private func arguments(for program: DialogProgram) -> [String] {
    let title = DialogText.line(title)
    let text = DialogText.paragraph(text)
    // An empty argument is no row to some versions.
    let rows = choices.enumerated().flatMap { [String($0), $1.isEmpty ? " " : DialogText.line($1)] }
    switch program {
    case .zenity:
      // Wide enough for a sentence, and high enough for the rows up to a screen's half.
      let height = 180 + 26 * min(choices.count, 12)
      return [
        "--list", "--title=" + title, "--text=" + DialogText.zenityMarkup(text), "--hide-header", "--column=number",
        "--column=label", "--hide-column=1", "--print-column=1", "--width=420", "--height=\(height)",
      ] + rows.map(DialogText.zenityRow)
    case .kdialog:
      return ["--title=" + title, "--menu=" + DialogText.kdialogLabel(text), "--"] + rows
    }
  }
}

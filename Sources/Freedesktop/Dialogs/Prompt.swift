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

  /// What the window is called. It and the text are on the program's command line, which every user of the machine can
  /// read: neither zenity nor kdialog takes them in another way.
  public var title: String
  /// What stands above the line.
  public var text: String

  /// A line to be typed; all texts are plain, and none is private.
  public init(title: String, text: String = "") {
    self.title = title
    self.text = text
  }

  /// Whether there is a program that could show one at this moment.
  public static var isAvailable: Bool { DialogProgram.present != nil }

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
    let label = DialogText.paragraph(text)
    switch program {
    case .zenity:
      return ["--entry", "--title=" + title, "--text=" + DialogText.zenityLabel(label), "--width=420"]
    case .kdialog:
      return ["--title=" + title, "--inputbox=" + DialogText.kdialogLabel(label)]
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import EventLoop

/// A dialog in which the user types a line, drawn by the first program that is installed.
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

  /// The question with its private texts, for a program that reads them from its input.
  public struct Question: Hashable, Sendable {
    /// The text above the line.
    public var text: String
    /// The name of the line; nil for the program's own.
    public var hint: String?
    /// The label of the button that sends the text; nil for the program's own.
    public var button: String?

    /// Creates a question; all texts are plain.
    public init(text: String, hint: String? = nil, button: String? = nil) {
      self.text = text
      self.hint = hint
      self.button = button
    }
  }

  /// Whose question it is: the window title. With zenity and kdialog, the title and the text are on the command line,
  /// which all users of the machine can read: neither program accepts them in another way.
  public var title: String
  /// The text above the line.
  public var text: String
  /// What `suzu-window` shows instead of the text.
  public var question: Question?

  /// Creates a prompt; all texts are plain, and only those of the question may be private.
  public init(title: String, text: String = "", question: Question? = nil) {
    self.title = title
    self.text = text
    self.question = question
  }

  /// Whether a program that can show a prompt is installed now.
  public static var isAvailable: Bool {
    let line = Prompt(title: "")
    return DialogPrograms.installed.contains { $0.command(for: line) != nil }
  }

  /// Shows the dialog; the token raises its window. Cancelling the task closes it.
  public func ask(activationToken: String?, on loop: EventLoop) async -> Ending {
    var ending = Ending.unavailable
    for program in DialogPrograms.installed {
      guard let command = program.command(for: self) else { continue }
      switch await program.show(command, activationToken: activationToken, on: loop) {
      case .agreed(let output): return .answered(output)
      case .cancelled: return .cancelled
      case .closed: return .closed
      case .failed(let why): return .failed(why)
      case .unfit(let why): ending = .failed(why)
      }
    }
    return ending
  }
}

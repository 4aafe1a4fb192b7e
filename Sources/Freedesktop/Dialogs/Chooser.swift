// SPDX-License-Identifier: Apache-2.0
public import EventLoop

/// A dialog with a list from which the user chooses, drawn by a program that shows lists.
public struct Chooser: Hashable, Sendable {
  /// The result of the dialog.
  public enum Ending: Hashable, Sendable {
    /// The index of the choice, because labels may be equal.
    case chosen(Int)
    /// The user chose nothing.
    case cancelled
    /// The calling task was cancelled.
    case closed
    /// The dialog program failed.
    case failed(String)
    /// No dialog program is installed.
    case unavailable
  }

  /// Whose list it is: the window title, and with zenity the text above the list. There it is on the command line,
  /// which all users of the machine can read.
  public var title: String
  /// The subject of the list; private. zenity reads only rows from its input, so the first row asks to choose for it.
  public var heading: String
  /// The text above the list where there is room for more than the heading; private.
  public var text: String
  /// The labels; private.
  public var choices: [String]

  /// Creates a list; all texts are plain.
  public init(title: String, heading: String = "", text: String = "", choices: [String]) {
    self.title = title
    self.heading = heading
    self.text = text
    self.choices = choices
  }

  /// The name of the program that would show a list now; nil if none is installed.
  public static var program: String? {
    let list = Chooser(title: "", choices: [""])
    return DialogPrograms.installed.first { $0.command(for: list) != nil }?.name
  }

  /// Shows the dialog; the token raises its window. Cancelling the task closes it.
  public func ask(activationToken: String?, on loop: EventLoop) async -> Ending {
    var ending = Ending.unavailable
    for program in DialogPrograms.installed {
      guard let command = program.command(for: self) else { continue }
      if choices.isEmpty { return .failed("nothing to choose from") }
      switch await program.show(command, activationToken: activationToken, on: loop) {
      case .agreed(let output):
        // The user confirmed without selecting a row.
        if output.isEmpty { return .cancelled }
        guard let index = Int(output), choices.indices.contains(index) else {
          return .failed("\(program.name): the answer is not one of the choices")
        }
        return .chosen(index)
      case .cancelled: return .cancelled
      case .closed: return .closed
      case .failed(let why): return .failed(why)
      case .unfit(let why): ending = .failed(why)
      }
    }
    return ending
  }
}

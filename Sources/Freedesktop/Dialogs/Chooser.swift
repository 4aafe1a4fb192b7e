// SPDX-License-Identifier: Apache-2.0
public import EventLoop

/// A dialog with a list from which the user chooses, drawn by `suzu-window` or `zenity`.
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

  /// Whose list it is: the window title, and with zenity the text above the list. There it is on the command line, which
  /// all users of the machine can read.
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
  public static var program: String? { programs.first?.rawValue }

  private static var programs: [DialogProgram] { DialogProgram.installed.filter(\.showsLists) }

  /// Shows the dialog; the token raises its window. Cancelling the task closes it.
  public func ask(activationToken: String?, on loop: EventLoop) async -> Ending {
    var ending = Ending.unavailable
    let programs = Self.programs
    guard programs.isEmpty || !choices.isEmpty else { return .failed("nothing to choose from") }
    for program in programs {
      switch await show(with: program, activationToken, on: loop) {
      case .agreed(let output):
        // The user confirmed without selecting a row.
        if output.isEmpty { return .cancelled }
        guard let index = Int(output), choices.indices.contains(index) else {
          return .failed("\(program.rawValue): the answer is not one of the choices")
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

  private func show(with program: DialogProgram, _ token: String?, on loop: EventLoop) async -> DialogProgram.Ending {
    if program == .window {
      let question = DialogQuestion(app: title, text: text.isEmpty ? heading : text, answer: .choice(choices))
      return await DialogProgram.show(question, activationToken: token, on: loop)
    }
    while true {
      let ending = await program.show(arguments, input: rows, activationToken: token, on: loop)
      // The heading is a row that can be selected like the others, but it is not a choice.
      if case .agreed(Self.headingKey) = ending { continue }
      return ending
    }
  }

  private static let headingKey = "-"

  private var arguments: [String] {
    let title = DialogText.line(title)
    // Wide enough for a sentence, and high enough for the rows, up to half a screen. zenity 4 draws 240 pixels around
    // the rows: with less, the last ones are out of sight.
    let height = 240 + 24 * min(choices.count + (heading.isEmpty ? 0 : 1), 12)
    return [
      "--list", "--title=" + title, "--text=" + DialogText.zenityMarkup(title), "--hide-header", "--column=number",
      "--column=label", "--hide-column=1", "--print-column=1", "--width=420", "--height=\(height)",
    ]
  }

  /// Each cell is a line. Some versions drop an empty one.
  private var rows: String {
    func row(_ key: String, _ text: String) -> String { "\(key)\n\(text.isEmpty ? " " : DialogText.line(text))\n" }
    let first = heading.isEmpty ? "" : row(Self.headingKey, "Choose an action for: " + heading)
    return choices.enumerated().reduce(into: first) { $0 += row(String($1.offset), $1.element) }
  }
}

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

  /// What the window is called, and what stands above the list: on the command line, which every user of the machine can
  /// read.
  public var title: String
  /// What the list is about, in its first row; private.
  public var heading: String
  /// The labels; private.
  public var choices: [String]

  /// A list; all texts are plain.
  public init(title: String, heading: String = "", choices: [String]) {
    self.title = title
    self.heading = heading
    self.choices = choices
  }

  /// Whether there is a program that could show one at this moment.
  ///
  /// kdialog takes its rows from the command line only, where other users could read what a notification says.
  public static var isAvailable: Bool { DialogProgram.zenity.isInstalled }

  /// Shows it, with the token that lets it come to the front. Cancelling the task closes it.
  public func ask(activationToken: String?, on loop: EventLoop) async -> Ending {
    let program = DialogProgram.zenity
    guard program.isInstalled else { return .unavailable }
    guard !choices.isEmpty else { return .failed("nothing to choose from") }
    while true {
      switch await program.show(arguments, input: rows, activationToken: activationToken, on: loop) {
      // The heading stands in a row, which can be taken like the others, and is no choice.
      case .agreed(Self.headingKey): continue
      case .agreed(let output):
        // Agreed to, with no row selected.
        if output.isEmpty { return .cancelled }
        guard let index = Int(output), choices.indices.contains(index) else {
          return .failed("\(program.rawValue): the answer is not one of the choices")
        }
        return .chosen(index)
      case .cancelled: return .cancelled
      case .closed: return .closed
      case .failed(let why): return .failed(why)
      }
    }
  }

  private static let headingKey = "-"

  private var arguments: [String] {
    let title = DialogText.line(title)
    // Wide enough for a sentence, and high enough for the rows up to a screen's half.
    let height = 180 + 26 * min(choices.count, 12)
    return [
      "--list", "--title=" + title, "--text=" + DialogText.zenityMarkup(title), "--hide-header", "--column=number",
      "--column=label", "--hide-column=1", "--print-column=1", "--width=420", "--height=\(height)",
    ]
  }

  /// Each cell is a line. An empty one would be none to some versions.
  private var rows: String {
    func row(_ key: String, _ text: String) -> String { "\(key)\n\(text.isEmpty ? " " : DialogText.line(text))\n" }
    let first = heading.isEmpty ? "" : row(Self.headingKey, heading)
    return choices.enumerated().reduce(into: first) { $0 += row(String($1.offset), $1.element) }
  }
}

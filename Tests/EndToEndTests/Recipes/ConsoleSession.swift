// SPDX-License-Identifier: Apache-2.0
import Testing

/// A recipe with prompts: lines after `$ ` are typed, and those after `> ` continue them; the other lines are the
/// printed output of the command before them.
struct ConsoleSession {
  private var typed: [(command: String, output: String)] = []

  init(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if line.hasPrefix("$ ") {
        typed.append((String(line.dropFirst(2)), ""))
      } else if let last = typed.indices.last {
        if line.hasPrefix("> ") {
          typed[last].command += "\n" + line.dropFirst(2)
        } else {
          typed[last].output += line + "\n"
        }
      }
    }
  }

  /// A line that no program prints.
  private static let separator = "\u{1e}"

  /// All commands in one shell, with a separator after the output and errors of each.
  var script: String {
    "exec 2>&1\n" + typed.map { $0.command + "\nprintf '\\036\\n'\n" }.joined()
  }

  /// Compares what the script printed with the page.
  func check(_ lines: [String], varying: [String]) {
    #expect(!typed.isEmpty)
    let parts = lines.split(separator: Self.separator, omittingEmptySubsequences: false).dropLast()
    #expect(parts.count == typed.count)
    for ((command, output), part) in zip(typed, parts) {
      let printed = part.map { $0 + "\n" }.joined()
      let isExpected = zip([output, Self.onTheMinute(output)], [varying, varying.map(Self.onTheMinute)]).contains {
        guard let pattern = try? Regex(Self.pattern($0, $1)) else { return false }
        return printed.wholeMatch(of: pattern) != nil
      }
      #expect(isExpected, "\(command)\n\(printed)is not\n\(output)")
    }
  }

  /// The output if the commands ran in the first second of a minute: dates have no seconds then, and their column is
  /// narrower.
  private static func onTheMinute(_ output: String) -> String {
    output.replacing(/(\d\d:\d\d):\d\d/) { $0.1 }.replacing("WHEN   ", with: "WHEN")
  }

  private static func pattern(_ output: String, _ varying: [String]) -> String {
    var pattern = literal(output)
    for part in varying {
      let shape = part.map { $0.isLetter || $0.isNumber ? "[A-Za-z0-9]" : literal(String($0)) }.joined()
      pattern = pattern.replacing(literal(part), with: shape)
    }
    return pattern
  }

  private static func literal(_ text: String) -> String {
    text.map { #"\.^$|?*+()[]{}"#.contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}

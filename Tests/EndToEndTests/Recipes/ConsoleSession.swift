// SPDX-License-Identifier: Apache-2.0
import Testing

/// A recipe with prompts: lines after `$ ` are typed, and those after `> ` continue them; the other lines are what a
/// terminal then shows.
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

  /// Runs the shell script `$1` on a terminal without colours, which is wide enough to cut no column.
  ///
  /// Without a terminal, `suzu notify` does not print the date that it has understood, for example.
  static let command = #"""
    printf 'stty cols 200 -opost\nexec sh "%s"\n' "$1" >"$1.typed"
    NO_COLOR=1 SYSTEMD_COLORS=0 exec script -qec "sh '$1.typed'" /dev/null </dev/null
    """#

  /// All commands in one shell, with a separator after the output and errors of each.
  var script: String {
    typed.map { $0.command + "\nprintf '\\036\\n'\n" }.joined()
  }

  /// Compares what the script printed with the page.
  func check(_ lines: [String], varying: [String]) {
    #expect(!typed.isEmpty)
    let parts = lines.split(separator: Self.separator, omittingEmptySubsequences: false).dropLast()
    #expect(parts.count == typed.count)
    for ((command, output), part) in zip(typed, parts) {
      // busctl ends its errors with carriage returns.
      let scalars = part.map { $0 + "\n" }.joined().unicodeScalars.filter { $0 != "\r" }
      let printed = String(String.UnicodeScalarView(scalars))
      let pattern = try? Regex(Self.pattern(output.replacing(Self.day, with: ""), varying))
      // The rows of a list may be of two days where the page has one.
      let isExpected =
        pattern.map { printed.replacing(Self.day, with: "").wholeMatch(of: $0) != nil } == true
        && printed.contains(Self.day) == output.contains(Self.day)
      #expect(isExpected, "\(command)\n\(printed)is not\n\(output)")
    }
  }

  /// The heading of a day in a list.
  nonisolated(unsafe) private static let day = /(?m)^(?:(?:Today|Tomorrow|Yesterday), )?[A-Z][a-z]{2} \d{4}-\d\d-\d\d\n/

  private static func pattern(_ output: String, _ varying: [String]) -> String {
    var pattern = literal(output)
    for part in varying { pattern = pattern.replacing(literal(part), with: shape(of: part)) }
    // How far it is changes with each second.
    pattern = pattern.replacing(/, in \d+ [a-z]+(?: \d+ [a-z]+)?/, with: ", in [0-9]+ [a-z]+(?: [0-9]+ [a-z]+)?")
      .replacing(/, \d+ [a-z]+ ago/, with: ", (?:now|[0-9]+ [a-z]+ ago)")
    // The width of a column depends on its dates.
    return pattern.replacing(/\ {2,}/, with: " {2,}")
  }

  /// As many letters and digits. Names of days have different lengths, and a date on the minute has no seconds; a home
  /// is anywhere.
  private static func shape(of part: String) -> String {
    if let home = part.prefixMatch(of: /\/home\/[a-z]+/) {
      return #"/\S+"# + literal(String(part[home.range.upperBound...]))
    }
    if let day = part.prefixMatch(of: /[A-Z][a-z]+day/) {
      return "[A-Z][a-z]+day" + shape(of: String(part[day.range.upperBound...]))
    }
    if part.wholeMatch(of: /\d\d:\d\d(?::\d\d)?/) != nil { return "[0-9]{2}:[0-9]{2}(?::[0-9]{2})?" }
    if let date = part.wholeMatch(of: /([A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d):\d\d/) {
      return shape(of: String(date.1)) + "(?::[0-9]{2})?"
    }
    return part.map { $0.isLetter || $0.isNumber ? "[A-Za-z0-9]" : literal(String($0)) }.joined()
  }

  private static func literal(_ text: String) -> String {
    text.map { #"\.^$|?*+()[]{}"#.contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}

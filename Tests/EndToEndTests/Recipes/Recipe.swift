// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// An example of the documentation, to be typed as printed.
struct Recipe: Sendable, CustomTestStringConvertible {
  /// The source: a file of the checkout, or `suzu VERB --help`.
  let document: String
  let line: Int
  /// The language of its fence: `sh`, `python`, `json`, `swift`, or `console` for prompts and output.
  let language: String
  let text: String

  var testDescription: String { "\(document):\(line): \(text.split(separator: "\n").first ?? "")" }

  /// All pages in the checkout, so that a new one is not missed.
  static let documents = ["README.md", "CONTRIBUTING.md"] + pages("docs", "md") + pages("docs/man", "scd")

  private static func pages(_ folder: String, _ kind: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: Session.checkout.appending(path: folder).path)
    return (names ?? []).filter { $0.hasSuffix("." + kind) }.sorted().map { folder + "/" + $0 }
  }

  /// All fenced examples of the page; in a manual page, all of them are for the shell.
  static func all(in document: String) throws -> [Recipe] {
    let text = try String(contentsOf: Session.checkout.appending(path: document), encoding: .utf8)
    var recipes: [Recipe] = []
    var open: (line: Int, language: String, lines: [Substring])?
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard line.hasPrefix("```") else {
        open?.lines.append(line)
        continue
      }
      if let block = open {
        recipes.append(
          Recipe(
            document: document, line: block.line, language: block.language,
            text: block.lines.map { $0 + "\n" }.joined()))
        open = nil
      } else {
        let language = document.hasSuffix(".scd") ? "sh" : String(line.dropFirst(3))
        open = (number + 2, language, [])
      }
    }
    return recipes
  }

  /// Text outside of fences.
  static func prose(of document: String) throws -> String {
    let text = try String(contentsOf: Session.checkout.appending(path: document), encoding: .utf8)
    return text.replacing(/(?ms)^```.*?^```$/, with: "")
  }

  /// The verbs in the list of the help.
  static func verbs() throws -> [String] {
    try Session.help().matches(of: /\n  suzu ([a-z-]+)/).map { String($0.1) }
  }

  /// The examples in the help of each verb, without the remarks in parentheses after them.
  static func ofHelp() throws -> [Recipe] {
    try verbs().flatMap { verb in
      let help = try Session.help(of: verb).replacing(/\ \\\n\ +/, with: " ")
      let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
      let start = try #require(lines.firstIndex(of: "Examples:"))
      // A remark behind a long example has a line of its own.
      let examples = lines.indices.dropFirst(start + 1).filter { !lines[$0].isEmpty && !lines[$0].hasPrefix("      (") }
      return examples.map { index in
        Recipe(
          document: "suzu \(verb) --help", line: index + 1, language: "sh",
          text: lines[index].replacing(/\ {2,}\(.*\)$/, with: "").drop { $0 == " " } + "\n")
      }
    }
  }
}

extension Session {
  /// The help of a verb, or the list of all verbs.
  static func help(of verb: String? = nil) throws -> String {
    let asked = try RunningProgram.run(
      programs + "/suzu", ["help"] + (verb.map { [$0] } ?? []), environment: [:])
    guard asked.status == 0 else { throw TestFailure(asked.errors) }
    return asked.output
  }
}

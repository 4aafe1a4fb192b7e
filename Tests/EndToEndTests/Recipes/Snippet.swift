// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// An example in a doc comment, or on a page of a documentation catalogue.
struct Snippet {
  /// The file in the checkout.
  let file: String
  let line: Int
  let text: String

  /// All examples in the sources of a target and in its catalogue.
  static func all(in target: String) throws -> [Snippet] {
    let folder = Session.checkout.appending(path: "Sources/\(target)")
    let files = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
    return try files.sorted().flatMap { name -> [Snippet] in
      let file = "Sources/\(target)/\(name)"
      if name.hasSuffix(".md") {
        return try Recipe.all(in: file).map { Snippet(file: file, line: $0.line, text: $0.text) }
      }
      guard name.hasSuffix(".swift") else { return [] }
      return inComments(of: file, try String(contentsOf: folder.appending(path: name), encoding: .utf8))
    }
  }

  /// The indented parts of doc comments that follow an empty line; others go on with a list.
  private static func inComments(of file: String, _ source: String) -> [Snippet] {
    var snippets: [Snippet] = []
    var begin: Int?
    var lines: [Substring] = []
    var isBehindEmptyLine = false
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let comment = line.drop { $0 == " " }
      let text = comment.hasPrefix("///") ? comment.dropFirst(3) : nil
      if let text, text.hasPrefix("     "), begin != nil || isBehindEmptyLine {
        begin = begin ?? index + 1
        lines.append(text.dropFirst(5))
      } else if let text, text.isEmpty, begin != nil {
        lines.append("")
      } else if let first = begin {
        snippets.append(Snippet(file: file, line: first, text: lines.map { $0 + "\n" }.joined()))
        begin = nil
        lines = []
      }
      isBehindEmptyLine = text?.isEmpty ?? false
    }
    return snippets
  }
}

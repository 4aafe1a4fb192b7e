// SPDX-License-Identifier: Apache-2.0

/// A Markdown page: an opening, then sections whose headings are of the second level.
struct Page {
  private struct Section {
    var heading: String
    var text: String
  }

  var opening: String
  private var sections: [Section]

  init(_ text: String) {
    let parts = ("\n" + text).split(separator: "\n## ", omittingEmptySubsequences: false)
    opening = trimmed(parts.first ?? "")
    sections = parts.dropFirst().map { part in
      let end = part.firstIndex(of: "\n") ?? part.endIndex
      return Section(heading: String(part[..<end]), text: trimmed(part[end...]))
    }
  }

  /// The text of a section; empty if there is none.
  func text(of heading: String) -> String { sections.first { $0.heading == heading }?.text ?? "" }

  /// Replaces the text of a section, or adds the section at the end.
  mutating func set(_ heading: String, to text: String) {
    if let index = sections.firstIndex(where: { $0.heading == heading }) {
      sections[index].text = text
    } else {
      sections.append(Section(heading: heading, text: text))
    }
  }

  /// Makes a section the last one, if there is such a section.
  mutating func moveToEnd(_ heading: String) {
    guard let index = sections.firstIndex(where: { $0.heading == heading }) else { return }
    sections.append(sections.remove(at: index))
  }

  var text: String {
    ([opening] + sections.map { "## \($0.heading)\n\n\($0.text)" }).joined(separator: "\n\n") + "\n"
  }
}

/// The text without line ends around it.
private func trimmed(_ text: Substring) -> String {
  let start = text.drop { $0 == "\n" }
  return String(start[..<(start.lastIndex { $0 != "\n" }.map(start.index(after:)) ?? start.startIndex)])
}

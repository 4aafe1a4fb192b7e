// SPDX-License-Identifier: Apache-2.0

/// A text of a request as one line of a page: without breaks, without characters that reorder or hide what is around
/// it, and not longer than a screen can show.
package enum ShownText {
  /// The longest line, in characters.
  package static let longest = 300

  package static func line(_ raw: String, atMost limit: Int = longest) -> String {
    var line = ""
    var count = 0
    var isBlank = true
    for scalar in raw.unicodeScalars {
      if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
        if !isBlank { line.unicodeScalars.append(" ") }
        isBlank = true
        continue
      }
      // Joiners form letters of some scripts and pictures; other format characters move or hide the rest of a line.
      if scalar.properties.generalCategory == .format, scalar != "\u{200C}", scalar != "\u{200D}" { continue }
      count += 1
      if count > limit { return line + "…" }
      line.unicodeScalars.append(scalar)
      isBlank = false
    }
    if line.last == " " { line.removeLast() }
    return line
  }

  /// A text of several lines, which begin where its own lines do. Blank lines at its ends are left out.
  package static func paragraphs(_ raw: String, atMost limit: Int = 8000) -> String {
    let lines = raw.unicodeScalars.prefix(limit).split(omittingEmptySubsequences: false) {
      $0 == "\n" || $0 == "\r" || $0 == "\u{2028}" || $0 == "\u{2029}"
    }
    var shown = lines.map { line(String($0), atMost: limit) }
    while shown.last?.isEmpty == true { shown.removeLast() }
    let text = shown.drop { $0.isEmpty }.joined(separator: "\n")
    return raw.unicodeScalars.dropFirst(limit).isEmpty ? text : text + "…"
  }

  /// One line, set apart, so that a text from right to left does not turn around what stands next to it.
  package static func isolated(_ raw: String, atMost limit: Int = longest) -> String {
    "\u{2068}\(line(raw, atMost: limit))\u{2069}"
  }
}

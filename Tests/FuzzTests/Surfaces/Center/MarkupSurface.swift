// SPDX-License-Identifier: Apache-2.0
@testable import suzud

/// The markup of notifications.
enum MarkupSurface {
  /// What is sent to servers has only the three tags that were written in pairs, and no other `<`.
  static func read(_ text: String) throws(Surprise) -> Bool {
    let markup = Markup(text)
    let sent = markup.escaped
    // A mark that combines with the character before it must not hide a bracket.
    var rest = sent.unicodeScalars[...]
    var open: [String] = []
    while let start = rest.firstIndex(of: "<") {
      guard let end = rest[start...].firstIndex(of: ">") else { throw Surprise("'\(sent)' has an open '<'") }
      let name = String(rest[rest.index(after: start)..<end])
      if name.hasPrefix("/") {
        try Surprise.unless(open.popLast() == String(name.dropFirst()), "'\(sent)' is not balanced")
      } else {
        try Surprise.unless(["b", "i", "u"].contains(name), "'\(sent)' has the tag '\(name)'")
        open.append(name)
      }
      rest = rest[rest.index(after: end)...]
    }
    try Surprise.unless(open.isEmpty, "'\(sent)' is not balanced")
    return sent.contains("<")
  }
}

// SPDX-License-Identifier: Apache-2.0
package import Launcher

/// What an import of lists would add to the launcher, in words.
package struct ImportPreview: Hashable, Sendable {
  /// How many groups are new or get entries, how many entries there are, and how many of these replace earlier ones.
  package let groups: Int
  package let entries: Int
  package let replaced: Int
  /// The URL schemes that clicks may open afterwards, and cannot yet.
  private let schemes: [String]

  package init(_ lists: [ImportedList], into file: LauncherFile, allowing schemes: [String]) {
    let new = lists.flatMap(\.schemes)
    let keys = Set(new.map(\.key))
    groups = Set(lists.flatMap(\.groups) + new.map(\.category)).count
    entries = keys.count
    replaced = Set(file.schemes.map(\.key)).intersection(keys).count
    self.schemes = schemes
  }

  package var isEmpty: Bool { groups == 0 }

  /// `3 groups with 5 entries, 1 of which replaces an earlier one`, and what clicks may open.
  package var text: String {
    if isEmpty { return "There is nothing in it" }
    var text = Self.count(groups, "group", "groups")
    if entries > 0 { text += " with \(Self.count(entries, "entry", "entries"))" }
    if replaced > 0 {
      text += ", \(replaced) of which \(replaced == 1 ? "replaces an earlier one" : "replace earlier ones")"
    }
    if schemes.isEmpty { return text }
    let names = schemes.prefix(20).map { ShownText.isolated("\($0):", atMost: 60) }.joined(separator: ", ")
    let more = schemes.count > 20 ? " and \(schemes.count - 20) more" : ""
    return "\(text)\nClicks may then open \(names)\(more)"
  }

  private static func count(_ number: Int, _ one: String, _ many: String) -> String {
    number == 1 ? "1 \(one)" : "\(number) \(many)"
  }
}

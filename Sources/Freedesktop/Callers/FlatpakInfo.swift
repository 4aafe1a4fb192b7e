// SPDX-License-Identifier: Apache-2.0

/// The file in which [Flatpak](https://docs.flatpak.org/en/latest/sandbox-permissions.html) describes a sandbox.
struct FlatpakInfo: Hashable {
  /// The id of the app, or of a runtime that runs by itself.
  let app: String

  /// Returns nil for a file that Flatpak would not write: parsers disagree on duplicate or ambiguous entries.
  init?(_ bytes: [UInt8]) {
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { return nil }
    var section: Substring = ""
    var names: [String] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("[") {
        section = line
      } else if section == "[Application]" || section == "[Runtime]", let split = line.firstIndex(of: "="),
        Self.trimmed(line[..<split]) == "name"
      {
        names.append(String(Self.trimmed(line[line.index(after: split)...])))
      }
    }
    guard names.count == 1, Self.isID(names[0]) else { return nil }
    app = names[0]
  }

  /// Flatpak ids have the form of bus names: `org.example.App`.
  static func isID(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return text.utf8.count <= 255 && parts.count >= 2
      && parts.allSatisfy { part in
        part.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
          && part.first.map { !$0.isDigit && $0 != UInt8(ascii: "-") } == true
      }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

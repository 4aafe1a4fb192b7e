// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// A URL or absolute path for a program to open, never anything that a program could take for an option.
struct OpenableURL: Hashable {
  /// The text as given.
  let text: String
  /// The local file that the text stands for, if any.
  let path: String?

  init(_ text: String) throws(DesktopEntryError) {
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), text.hasPrefix("/") || Self.hasScheme(text) else {
      throw DesktopEntryError(.notOpenable, "the argument is neither a URL nor an absolute path")
    }
    self.text = text
    path = text.hasPrefix("/") ? text : Self.localPath(text)
  }

  /// A URL; a path becomes a `file:` URL.
  var url: String { text.hasPrefix("/") ? "file://" + PercentCoding.encoded(text, keeping: "/") : text }

  /// The argument for a program that takes URLs. Like GLib, passes a plain file as a path, because some programs accept
  /// no file URLs.
  var argument: String {
    if let path, !text.contains(where: { $0 == "?" || $0 == "#" }) { path } else { text }
  }

  /// The scheme, for messages: the rest of a URL is private.
  var scheme: String { path == nil ? text.prefix { $0 != ":" }.lowercased() : "file" }

  private static func hasScheme(_ text: String) -> Bool {
    let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
    return scheme.endIndex != text.utf8.endIndex && scheme.first?.isLetter == true
      && scheme.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
  }

  /// Accepts `file:///…`, `file://localhost/…` and `file:/…`.
  private static func localPath(_ text: String) -> String? {
    guard text.prefix(5).lowercased() == "file:" else { return nil }
    var rest = text.dropFirst(5)
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      if rest.hasPrefix("localhost/") { rest = rest.dropFirst(9) }
    }
    guard rest.hasPrefix("/") else { return nil }
    return PercentCoding.decodedText(rest.prefix { $0 != "?" && $0 != "#" })
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

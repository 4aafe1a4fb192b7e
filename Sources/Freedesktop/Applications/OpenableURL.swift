// SPDX-License-Identifier: Apache-2.0

/// What a program is to open: a URL or a whole path, and never anything that it could take for an option.
struct OpenableURL: Hashable {
  /// As it was given.
  let text: String
  /// The file that it stands for, where it stands for one of this machine.
  let path: String?

  init(_ text: String) throws(DesktopEntryError) {
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), text.hasPrefix("/") || Self.hasScheme(text) else {
      throw DesktopEntryError(.notOpenable, "what is to be opened is neither a URL nor a whole path")
    }
    self.text = text
    path = text.hasPrefix("/") ? text : Self.localPath(text)
  }

  /// A URL, also of a path.
  var url: String { text.hasPrefix("/") ? "file://" + Self.percentEncoded(text) : text }

  /// For a program that takes URLs: a plain file is named by its path, as GLib does it; some take no URLs of files.
  var argument: String {
    if let path, !text.contains(where: { $0 == "?" || $0 == "#" }) { path } else { text }
  }

  /// The scheme, for what is said of it: the rest of a URL is private.
  var scheme: String { path == nil ? text.prefix { $0 != ":" }.lowercased() : "file" }

  private static func hasScheme(_ text: String) -> Bool {
    let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
    return scheme.endIndex != text.utf8.endIndex && scheme.first?.isLetter == true
      && scheme.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
  }

  /// `file:///…`, `file://localhost/…` and `file:/…`.
  private static func localPath(_ text: String) -> String? {
    guard text.prefix(5).lowercased() == "file:" else { return nil }
    var rest = text.dropFirst(5)
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      if rest.hasPrefix("localhost/") { rest = rest.dropFirst(9) }
    }
    guard rest.hasPrefix("/") else { return nil }
    return percentDecoded(rest.prefix { $0 != "?" && $0 != "#" }.utf8)
  }

  private static func percentDecoded(_ text: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, digits.allSatisfy(\.isHexDigit),
        let decoded = UInt8(Substring(digits), radix: 16), decoded != 0
      else { return nil }
      bytes.append(decoded)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func percentEncoded(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return path.utf8.reduce(into: "") { text, byte in
      if byte.isLetter || byte.isDigit || "/-._~".utf8.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isHexDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }
}

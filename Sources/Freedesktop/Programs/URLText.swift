// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// Why a URL is refused, worded to follow `refused: `; never contains the URL, which is private.
public struct URLRefusal: Error, Hashable, CustomStringConvertible {
  /// Such as `scheme 'javascript'` or `an executable file`.
  public let reason: String

  init(_ reason: String) { self.reason = reason }

  /// The reason.
  public var description: String { reason }
}

/// A URL parsed strictly by [RFC 3986](https://www.rfc-editor.org/rfc/rfc3986): a text that some programs repair and
/// others refuse is not accepted.
struct URLText: Hashable {
  /// Longer than any URL in normal use, and short enough for every program.
  static let longest = 2048

  /// The text as given.
  let text: String
  /// In lower case.
  let scheme: String
  /// The text after the scheme's colon.
  let rest: Substring
  /// Nil if there is no `//`.
  let authority: Authority?
  let path: Substring
  let query: Substring?
  let fragment: Substring?

  struct Authority: Hashable {
    let user: Substring?
    let host: Substring
    let port: Substring?
  }

  init(_ text: String) throws(URLRefusal) {
    try Self.check(text)
    guard let colon = text.firstIndex(where: { ":/?#".contains($0) }), text[colon] == ":",
      text.utf8.first?.isASCIILetter == true
    else { throw URLRefusal("no scheme") }
    let name = text[..<colon]
    guard name.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }) else {
      throw URLRefusal("no scheme")
    }
    self.text = text
    scheme = name.lowercased()
    rest = text[text.index(after: colon)...]
    let (beforeFragment, fragment) = Self.split(rest, "#")
    let (hierarchy, query) = Self.split(beforeFragment, "?")
    guard fragment?.contains("#") != true else { throw URLRefusal("two fragments") }
    (self.query, self.fragment) = (query, fragment)
    if hierarchy.hasPrefix("//") {
      let end = hierarchy.dropFirst(2).firstIndex(of: "/") ?? hierarchy.endIndex
      authority = try Self.authority(hierarchy[..<end].dropFirst(2))
      path = hierarchy[end...]
    } else {
      authority = nil
      path = hierarchy
    }
    // Brackets belong only to addresses like [::1]. Browsers leave them in queries, where many sites use them.
    guard !path.contains("["), !path.contains("]") else { throw URLRefusal("an invalid character") }
  }

  private static func check(_ text: String) throws(URLRefusal) {
    guard text.utf8.count <= longest else { throw URLRefusal("a URL of more than \(longest) bytes") }
    guard !text.isEmpty else { throw URLRefusal("no URL") }
    var bytes = text.utf8[...]
    while let byte = bytes.popFirst() {
      if byte <= 0x20 || byte == 0x7F { throw URLRefusal("a blank or control character") }
      guard byte.isASCIILetter || byte.isASCIIDigit || "-._~:/?#[]@!$&'()*+,;=%".utf8.contains(byte) else {
        throw URLRefusal("an invalid character")
      }
      if byte != UInt8(ascii: "%") { continue }
      guard bytes.count >= 2, bytes.prefix(2).allSatisfy(\.isASCIIHexDigit) else {
        throw URLRefusal("an invalid percent code")
      }
      guard !bytes.starts(with: "00".utf8) else { throw URLRefusal("a null character") }
    }
  }

  /// The text before the first `mark`, and the text after it.
  private static func split(_ text: Substring, _ mark: Character) -> (Substring, Substring?) {
    guard let place = text.firstIndex(of: mark) else { return (text, nil) }
    return (text[..<place], text[text.index(after: place)...])
  }

  private static func authority(_ text: Substring) throws(URLRefusal) -> Authority {
    var user: Substring?
    var rest = text
    if let place = text.firstIndex(of: "@") {
      user = text[..<place]
      rest = text[text.index(after: place)...]
    }
    var host = rest.prefix { $0 != ":" }
    if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
      host = rest[...end]
      guard host.dropFirst().dropLast().utf8.allSatisfy({ $0.isASCIIHexDigit || ":.".utf8.contains($0) }) else {
        throw URLRefusal("invalid host")
      }
    }
    let port = rest[host.endIndex...]
    let isPort = port.isEmpty || port == ":" || (port.hasPrefix(":") && UInt16(port.dropFirst()) != nil)
    let brackets = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host
    guard isPort, !port.hasPrefix(":+"),
      ![user ?? "", brackets].contains(where: { $0.contains { "[]@".contains($0) } })
    else { throw URLRefusal("invalid host") }
    return Authority(user: user, host: host, port: port.isEmpty ? nil : port.dropFirst())
  }

  /// Decodes percent signs once: decoding twice would yield another URL.
  static func decoded(_ text: Substring) -> [UInt8] {
    // `check` has refused every broken percent sign.
    PercentCoding.decoded(text) ?? Array(text.utf8)
  }
}

extension UInt8 {
  fileprivate var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  fileprivate var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isASCIIHexDigit: Bool {
    isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A `mailto:` URL reduced to receivers, subject and body.
///
/// Other fields that [RFC 6068](https://www.rfc-editor.org/rfc/rfc6068) allows are dropped: they have been used to
/// attach the user's files (`attach`, `attachment`), to send hidden copies, and to forge headers.
struct MailURL: Hashable {
  let text: String

  init(_ url: URLText) throws(URLRefusal) {
    guard url.authority == nil else { throw URLRefusal("a host in a mail address") }
    try Self.checkAddress(url.path)
    var fields: [String] = []
    for field in url.query?.split(separator: "&") ?? [] {
      guard let kept = try Self.kept(field) else { continue }
      fields.append(kept)
    }
    let head = url.text[..<url.rest.startIndex] + url.path
    text = head + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
  }

  private static func kept(_ field: Substring) throws(URLRefusal) -> String? {
    guard let split = field.firstIndex(of: "=") else { return nil }
    let name = field[..<split]
    let value = field[field.index(after: split)...]
    switch name.lowercased() {
    case "to", "cc":
      try checkAddress(value)
      return String(field)
    case "subject":
      // A line break would start another header.
      guard !hasControl(value) else { throw URLRefusal("a line break in a subject") }
    case "body":
      guard !hasControl(value, besides: [9, 10, 13]) else { throw URLRefusal("a control character in a mail") }
    default: return nil
    }
    // xdg-email passes subject and body to Thunderbird unescaped in a comma-separated list: a comma or quote would
    // start another field.
    return name + "="
      + value.reduce(into: "") { $0 += $1 == "," ? "%2C" : $1 == "'" ? "%27" : String($1) }
  }

  private static func checkAddress(_ address: Substring) throws(URLRefusal) {
    guard !hasControl(address) else { throw URLRefusal("a line break in a mail address") }
    // xdg-email passes the addresses to Thunderbird in quotes.
    guard !URLText.decoded(address).contains(where: { "'\\".utf8.contains($0) }) else {
      throw URLRefusal("a quote in a mail address")
    }
  }

  private static func hasControl(_ text: Substring, besides allowed: Set<UInt8> = []) -> Bool {
    URLText.decoded(text).contains { ($0 < 0x20 || $0 == 0x7F) && !allowed.contains($0) }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A `mailto:` URL that names receivers, a subject and a text, and brings nothing else along.
///
/// What [RFC 6068](https://www.rfc-editor.org/rfc/rfc6068) allows besides has been used to attach the user's files
/// (`attach`, `attachment`), to send copies that nobody sees, and to forge headers: such fields are left out.
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
      // The next line of a header is another header.
      guard !hasControl(value) else { throw URLRefusal("a line break in a subject") }
    case "body":
      guard !hasControl(value, besides: [9, 10, 13]) else { throw URLRefusal("a control character in a mail") }
    default: return nil
    }
    // xdg-email hands both to Thunderbird in a list with commas, as they are: the rest would be fields of its own.
    return name + "="
      + value.reduce(into: "") { $0 += $1 == "," ? "%2C" : $1 == "'" ? "%27" : String($1) }
  }

  private static func checkAddress(_ address: Substring) throws(URLRefusal) {
    guard !hasControl(address) else { throw URLRefusal("a line break in a mail address") }
    // xdg-email hands them to Thunderbird between quotes.
    guard !URLText.decoded(address).contains(where: { "'\\".utf8.contains($0) }) else {
      throw URLRefusal("a quote in a mail address")
    }
  }

  private static func hasControl(_ text: Substring, besides allowed: Set<UInt8> = []) -> Bool {
    URLText.decoded(text).contains { ($0 < 0x20 || $0 == 0x7F) && !allowed.contains($0) }
  }
}

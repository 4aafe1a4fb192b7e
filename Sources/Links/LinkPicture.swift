// SPDX-License-Identifier: Apache-2.0

/// A picture that a message names. It is fetched only if the link fetches pictures, and allows its host.
package struct LinkPicture: Hashable, Sendable {
  /// What it is of the notification.
  package enum Kind: String, Sendable, CaseIterable {
    case icon, image
  }

  package let kind: Kind
  package let url: String
  /// The server in ``url``: one with TLS, or on this machine.
  package let server: ServerAddress
  package let host: CallHost

  /// The longest picture, in bytes.
  package static let longest = 1 << 20

  /// Nil without such an address.
  init?(_ kind: Kind, _ url: String?) {
    guard let url = LinkMessage.page(url), let start = url.firstRange(of: "://"), let host = CallHost(of: url),
      let server = try? ServerAddress(
        String(url[..<start.upperBound]) + url[start.upperBound...].prefix { !"/?#".contains($0) })
    else { return nil }
    (self.kind, self.url, self.server, self.host) = (kind, url, server, host)
  }

  /// The end of the name of a file with such bytes; nil if they are neither a PNG nor a JPEG.
  package static func suffix(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "png" }
    return bytes.starts(with: [0xFF, 0xD8, 0xFF]) ? "jpg" : nil
  }
}

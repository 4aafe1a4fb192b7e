// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// The address of a server: `https://HOST[:PORT][/PATH]`. Without TLS only on this machine, where nothing can listen in.
package struct ServerAddress: Hashable, Sendable {
  /// The address without a slash at its end.
  package let text: String
  /// The host, as it is written.
  package let host: String
  /// Whether the connection is encrypted, and the host checked.
  package let isEncrypted: Bool

  /// Reads an address.
  package init(_ text: String) throws(RequestError) {
    guard text.utf8.count <= 1024, text.utf8.allSatisfy({ Self.isPlain($0) }),
      let scheme = ["https://", "http://"].first(where: { text.lowercased().hasPrefix($0) })
    else { throw RequestError("", "must be \(Self.form)") }
    var rest = text.dropFirst(scheme.count)
    while rest.last == "/" { rest.removeLast() }
    let authority = rest.prefix { $0 != "/" }
    guard let host = Self.host(in: authority) else { throw RequestError("", "must be \(Self.form)") }
    isEncrypted = scheme == "https://"
    guard isEncrypted || Self.isLocal(host) else {
      throw RequestError(
        "", "must begin with 'https://': without TLS, anyone on the way could read and change what arrives")
    }
    self.host = host
    self.text = scheme + rest
  }

  /// The rule, for errors.
  package static let form = "the address of a server, such as 'https://ntfy.example.com', without a user or a query"

  /// Whether the server runs on this machine.
  package var isLocal: Bool { Self.isLocal(host) }

  private static func isLocal(_ host: String) -> Bool {
    ["localhost", "127.0.0.1", "[::1]"].contains(host.lowercased())
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte > 32 && byte < 127 && !"@?#\\\"'<>`{}|^".utf8.contains(byte)
  }

  private static func host(in authority: Substring) -> String? {
    var host = authority
    var port = Substring("1")
    if authority.first == "[" {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[...end]
      let rest = authority[authority.index(after: end)...]
      if !rest.isEmpty {
        guard rest.first == ":" else { return nil }
        port = rest.dropFirst()
      }
    } else if let colon = authority.firstIndex(of: ":") {
      host = authority[..<colon]
      port = authority[authority.index(after: colon)...]
    }
    guard let number = UInt16(port), number > 0, !host.isEmpty, host != "[]" else { return nil }
    return String(host)
  }
}

// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// The address of a server: `https://HOST[:PORT][/PATH]` for ntfy, `mqtts://HOST[:PORT]` for MQTT. Without TLS only on
/// this machine, where nothing can listen in. For UnifiedPush, whose distributor is a program on the session bus:
/// `unifiedpush:[NAME]`.
package struct ServerAddress: Hashable, Sendable {
  /// The address without a slash at its end.
  package let text: String
  /// The host, as it is written.
  package let host: String
  /// Whether the connection is encrypted, and the host checked.
  package let isEncrypted: Bool
  /// How it is spoken to, which the beginning of the address says.
  package let transport: Transport

  /// Reads an address.
  package init(_ text: String) throws(RequestError) {
    if text.hasPrefix(Self.bus) {
      let name = String(text.dropFirst(Self.bus.count))
      self = try ServerAddress(distributor: name.isEmpty ? nil : name)
      return
    }
    guard text.utf8.count <= 1024, text.utf8.allSatisfy({ Self.isPlain($0) }),
      let (transport, scheme) = Self.scheme(of: text.lowercased())
    else { throw RequestError("", "must be \(Self.form)") }
    var rest = text.dropFirst(scheme.count)
    while rest.last == "/" { rest.removeLast() }
    let authority = rest.prefix { $0 != "/" }
    guard let host = Self.host(in: authority) else { throw RequestError("", "must be \(Self.form)") }
    let hasPath = authority.count < rest.count
    guard transport.hasPaths || !hasPath else { throw RequestError("", "must be \(Self.form)") }
    isEncrypted = scheme == transport.schemes.first
    guard isEncrypted || Self.isLocal(host) else {
      let wanted = transport.schemes[0]
      throw RequestError(
        "", "must begin with '\(wanted)': without TLS, anyone on the way could read and change what arrives")
    }
    self.host = host
    self.text = scheme + rest
    self.transport = transport
  }

  private static func scheme(of text: String) -> (transport: Transport, scheme: String)? {
    for transport in Transport.allCases {
      if let scheme = transport.schemes.first(where: { text.hasPrefix($0) }) { return (transport, scheme) }
    }
    return nil
  }

  /// The address of a distributor of UnifiedPush.
  ///
  /// - Parameter name: its name on the bus; nil for the only one there.
  package init(distributor name: String?) throws(RequestError) {
    guard name.map(Self.isDistributor) ?? true else {
      throw RequestError("", "must be the name of a distributor on the bus, such as '\(Self.distributors)kde'")
    }
    text = Self.bus + (name ?? "")
    host = name ?? ""
    (isEncrypted, transport) = (false, .unifiedPush)
  }

  private static let bus = "unifiedpush:"
  /// The names of all distributors begin with this.
  package static let distributors = "org.unifiedpush.Distributor."

  /// The distributor that was chosen; nil for the only one.
  package var distributor: String? { transport == .unifiedPush && !host.isEmpty ? host : nil }

  private static func isDistributor(_ name: String) -> Bool {
    guard name.hasPrefix(distributors), name.utf8.count <= 255 else { return false }
    return name.dropFirst(distributors.count).split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
      guard let first = $0.utf8.first, !(48...57).contains(first) else { return false }
      return $0.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 95 || byte == 45
      }
    }
  }

  /// The rule, for errors.
  package static let form =
    "the address of a server, such as 'https://ntfy.example.com' or 'mqtts://mqtt.example.com', without a user or a query"

  /// The address for libcurl, which makes the connection for all transports.
  package var connectable: String {
    guard let ports = transport.ports else { return text }
    let authority = text.drop { $0 != "/" }.drop { $0 == "/" }
    let hasPort = authority.dropFirst(host.count).first == ":"
    let port = hasPort ? "" : ":\(isEncrypted ? ports.encrypted : ports.plain)"
    return (isEncrypted ? "https://" : "http://") + authority + port
  }

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

// SPDX-License-Identifier: Apache-2.0

/// What the bus knows of a caller.
public struct Credentials: Hashable, Sendable {
  /// Whose process it is.
  public let userID: UInt32?
  /// The process, as a number that may be given to another one after its end.
  public let processID: UInt32?
  /// The process itself, where the bus can tell (dbus 1.15.8 and later, dbus-broker).
  public let processFD: UnixFD?
  /// The security label (AppArmor, SELinux), without its closing NUL.
  public let securityLabel: String?

  /// Of a caller that somebody else has asked about.
  public init(userID: UInt32?, processID: UInt32?, processFD: UnixFD? = nil, securityLabel: String? = nil) {
    self.userID = userID
    self.processID = processID
    self.processFD = processFD
    self.securityLabel = securityLabel
  }
}

extension Connection {
  /// Who owns `name`, as the bus noted it when that connection was made.
  public func credentials(of name: BusName) async throws(CallError) -> Credentials {
    let reply = try await call(.toBus("GetConnectionCredentials", [.string(name.text)]))
    guard let properties = reply.first?.properties else {
      throw .failed(BusError(.unexpectedReply, "the bus answered 'GetConnectionCredentials' with no dictionary"))
    }
    var processFD: UnixFD?
    if case .unixFD(let descriptor) = properties["ProcessFD"] { processFD = descriptor }
    var label: String?
    if case .bytes(let bytes) = properties["LinuxSecurityLabel"] {
      label = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return Credentials(
      userID: properties["UnixUserID"]?.uint32, processID: properties["ProcessID"]?.uint32, processFD: processFD,
      securityLabel: label)
  }
}

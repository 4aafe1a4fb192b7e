// SPDX-License-Identifier: Apache-2.0

/// The bus's information about a caller.
public struct Credentials: Hashable, Sendable {
  /// The user of the process.
  public let userID: UInt32?
  /// The process id, which may be reused after the process has ended.
  public let processID: UInt32?
  /// A descriptor of the process, if the bus provides one (dbus 1.15.8 and later, dbus-broker).
  public let processFD: UnixFD?
  /// The security label (AppArmor, SELinux) without its terminating NUL.
  public let securityLabel: String?

  /// Creates credentials that were queried elsewhere.
  public init(userID: UInt32?, processID: UInt32?, processFD: UnixFD? = nil, securityLabel: String? = nil) {
    self.userID = userID
    self.processID = processID
    self.processFD = processFD
    self.securityLabel = securityLabel
  }
}

extension Connection {
  /// Queries the credentials of the owner of `name`, which the bus recorded when that peer connected.
  public func credentials(of name: BusName) async throws(CallError) -> Credentials {
    let properties = try await call(BusMethods.credentials, of: .bus, name)
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

// SPDX-License-Identifier: Apache-2.0

/// The behavior of a notification server: its capabilities, corrected by what is known about it.
public struct ServerTraits: Hashable, Sendable {
  /// The declared capabilities.
  public let capabilities: Set<Capability>
  /// The behavior that the capabilities do not describe.
  public private(set) var known: KnownServer

  /// The traits of a server with that name and version.
  public init(capabilities: Set<Capability>, name: String = "", version: String = "") {
    self.capabilities = capabilities
    known = KnownServer(name, ServerVersion(version))
  }

  init(_ information: ServerInformation, _ capabilities: Set<Capability>, _ settings: ServerSettings) {
    self.init(capabilities: capabilities, name: information.name, version: information.version)
    if settings.drawsTextsOfProgress { known.hidesTextsOfProgress = false }
  }

  /// Whether the server declares the capability.
  public func can(_ capability: Capability) -> Bool { capabilities.contains(capability) }

  /// The maximum number of buttons drawn; nil if unlimited.
  public var buttons: Int? { can(.actions) ? known.buttons : 0 }
}

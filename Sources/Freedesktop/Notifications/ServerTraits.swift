// SPDX-License-Identifier: Apache-2.0

/// What a notification server does with what it is sent: by its capabilities, and by what is known of it where those say
/// nothing, or too much.
public struct ServerTraits: Equatable, Sendable {
  /// What it says it can do.
  public let capabilities: Set<Capability>
  /// What is known of it besides.
  public let known: KnownServer

  /// The traits of a server by that name.
  public init(capabilities: Set<Capability>, name: String = "") {
    self.capabilities = capabilities
    known = KnownServer.all[name] ?? KnownServer()
  }

  /// The traits of a server that was asked.
  public init(_ state: ServerState) {
    self.init(capabilities: state.capabilities, name: state.information.name)
  }

  /// Whether it says so.
  public func can(_ capability: Capability) -> Bool { capabilities.contains(capability) }

  /// How many buttons are seen; nil: as many as there are.
  public var buttons: Int? { can(.actions) ? known.buttons : 0 }
}

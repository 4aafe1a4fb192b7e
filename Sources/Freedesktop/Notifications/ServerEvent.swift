// SPDX-License-Identifier: Apache-2.0
public import DBus

/// A notification's number, which is meaningful only together with the server that assigned it.
public struct PostedNumber: Hashable, Sendable {
  /// The server's unique name; a restarted server has another one, and counts from 1 again.
  public var server: BusName
  /// The number that the server returned.
  public var number: UInt32

  /// Makes a value from its parts.
  public init(server: BusName, number: UInt32) {
    self.server = server
    self.number = number
  }
}

/// Why a notification was closed, with the specification's numbers.
public enum ClosedReason: UInt32, Sendable {
  /// It expired.
  case expired = 1
  /// The user dismissed it.
  case dismissed = 2
  /// A program called `CloseNotification`.
  case closed = 3
  /// Any other reason.
  case undefined = 4
}

/// An event of the desktop's notification server.
public enum ServerEvent: Hashable, Sendable {
  /// A server appeared, with these capabilities.
  case appeared(ServerState)
  /// The server vanished, and its numbers became invalid.
  case vanished
  /// The user clicked a button, or the notification itself.
  case actionInvoked(PostedNumber, key: String)
  /// Precedes the action; the token lets a program raise its window.
  case activationToken(PostedNumber, token: String)
  /// The user wrote a reply (Plasma, SwayNotificationCenter).
  case replied(PostedNumber, text: String)
  /// The notification was closed.
  case closed(PostedNumber, ClosedReason)
}

/// The identity and capabilities of a running server.
///
/// A class, because each notification needs it, and it is too large to copy.
public final class ServerState: Hashable, Sendable {
  /// The unique bus name.
  public let owner: BusName
  /// The id of the bus that assigned the name: each bus assigns the same names, from 1.
  public let bus: String
  /// The server's description of itself.
  public let information: ServerInformation
  /// The declared capabilities.
  public let capabilities: Set<Capability>
  /// The user's settings of the server, as far as they can be read.
  public let settings: ServerSettings
  /// How it behaves. Found once: each notification needs it.
  public let traits: ServerTraits

  /// Makes a value from its parts.
  package init(
    owner: BusName, bus: String, information: ServerInformation, capabilities: Set<Capability>, settings: ServerSettings
  ) {
    self.owner = owner
    self.bus = bus
    self.information = information
    self.capabilities = capabilities
    self.settings = settings
    traits = ServerTraits(information, capabilities, settings)
  }

  /// Whether both describe the same server in the same way.
  public static func == (left: ServerState, right: ServerState) -> Bool {
    left.owner == right.owner && left.bus == right.bus && left.information == right.information
      && left.capabilities == right.capabilities && left.settings == right.settings
  }

  /// Hashes what tells servers apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(owner)
    hasher.combine(bus)
  }
}

// SPDX-License-Identifier: Apache-2.0
public import DBus

/// A notification on the screen: its number means something only together with the server that gave it.
public struct PostedNumber: Hashable, Sendable {
  /// The server's unique name; a restarted server has another one, and counts from 1 again.
  public var server: BusName
  /// What the server returned.
  public var number: UInt32

  /// Both.
  public init(server: BusName, number: UInt32) {
    self.server = server
    self.number = number
  }
}

/// Why a notification is gone, in the specification's numbers.
public enum ClosedReason: UInt32, Sendable {
  /// Its time was over.
  case expired = 1
  /// The user put it away.
  case dismissed = 2
  /// Somebody called `CloseNotification`.
  case closed = 3
  /// Anything else.
  case undefined = 4
}

/// What the desktop's notification server did, or what happened to it.
public enum ServerEvent: Hashable, Sendable {
  /// There is one, with these capabilities.
  case appeared(ServerState)
  /// It is gone, and with it every number that it gave.
  case vanished
  /// A button, or the notification itself, was pressed.
  case actionInvoked(PostedNumber, key: String)
  /// Comes before the action: what lets a program raise its window.
  case activationToken(PostedNumber, token: String)
  /// The user wrote an answer (Plasma, SwayNotificationCenter).
  case replied(PostedNumber, text: String)
  /// It is gone from the screen.
  case closed(PostedNumber, ClosedReason)
}

/// A server that is there.
public struct ServerState: Hashable, Sendable {
  /// Its unique name.
  public var owner: BusName
  /// The identity of the bus that gave the name: each bus gives the same ones, from 1.
  public var bus: String
  /// What it says of itself.
  public var information: ServerInformation
  /// What it can do.
  public var capabilities: Set<Capability>
}

// SPDX-License-Identifier: Apache-2.0

/// A method call.
public struct MethodCall: Hashable, Sendable {
  /// The called peer; the bus may start the owner of a well-known name.
  public var destination: BusName
  /// The object.
  public var path: ObjectPath
  /// The interface of the method.
  public var interface: InterfaceName
  /// The method.
  public var member: MemberName
  /// The arguments.
  public var arguments: [Value]
  /// Whether the bus may start the destination if it has no owner.
  public var startsService = true

  /// Creates a call.
  public init(
    to destination: BusName, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName,
    _ arguments: [Value] = [], startsService: Bool = true
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
    self.startsService = startsService
  }

  /// Creates a call to the bus itself.
  public static func toBus(_ member: MemberName, _ arguments: [Value] = []) -> MethodCall {
    MethodCall(to: .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", member, arguments)
  }
}

/// A signal, received or to be sent.
public struct Signal: Hashable, Sendable {
  /// The sender: a unique name set by the bus, or the bus. Nil before sending.
  public var sender: BusName?
  /// The addressee; nil for a broadcast.
  public var destination: BusName?
  /// The object.
  public var path: ObjectPath
  /// The interface of the signal.
  public var interface: InterfaceName
  /// Its name.
  public var member: MemberName
  /// The arguments.
  public var arguments: [Value]
  /// The number of signals lost just before this one because the stream was read too slowly.
  public var lostBefore = 0

  /// Creates a signal; a nil `destination` makes it a broadcast.
  public init(
    _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = [],
    to destination: BusName? = nil
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }
}

/// A received call, for a handler.
public struct IncomingCall: Sendable {
  /// The caller's unique name, set by the bus.
  public let sender: BusName
  /// The called object.
  public let path: ObjectPath
  /// The interface; if it is missing in the message, that of the member.
  public let interface: InterfaceName
  /// The method.
  public let member: MemberName
  /// The size of the arguments in the message in bytes, without padding.
  public let size: Int
  let content: Content

  enum Content {
    case values([Value])
    case held(HeldArguments)
  }

  /// The arguments, which have the types that the method declares. Long ones are converted when they are first used:
  /// check before whether the caller may send that much.
  public var arguments: [Value] {
    switch content {
    case .values(let values): values
    case .held(let held): held.values
    }
  }
}

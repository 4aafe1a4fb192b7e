// SPDX-License-Identifier: Apache-2.0

/// One interface of an object of a peer, for calls.
///
///     let manager = RemoteObject("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")
public struct RemoteObject: Hashable, Sendable {
  /// The called peer; the bus may start the owner of a well-known name.
  public var peer: BusName
  /// The object.
  public var path: ObjectPath
  /// The interface of the methods.
  public var interface: InterfaceName
  /// Whether the bus may start the peer if its name has no owner.
  public var startsService: Bool

  /// Creates a reference to an object, which need not exist.
  public init(_ peer: BusName, _ path: ObjectPath, _ interface: InterfaceName, startsService: Bool = true) {
    self.peer = peer
    self.path = path
    self.interface = interface
    self.startsService = startsService
  }
}

/// A signal, received or to be sent.
public struct Signal: Hashable, Sendable {
  /// The sender: a unique name set by the bus, or the bus. Nil before sending.
  public package(set) var sender: BusName?
  /// The addressee; nil for a broadcast.
  public let destination: BusName?
  /// The object.
  public let path: ObjectPath
  /// The interface of the signal.
  public let interface: InterfaceName
  /// Its name.
  public let member: MemberName
  /// The arguments.
  package let arguments: [Value]
  /// The number of signals lost just before this one because the stream was read too slowly.
  public internal(set) var lostBefore = 0

  /// Creates a signal of the object at `path`; a nil `destination` makes it a broadcast.
  public init<each Argument: BusType>(
    _ description: SignalDescription<(repeat each Argument)>, _ path: ObjectPath, _ interface: InterfaceName,
    to destination: BusName? = nil, _ arguments: repeat each Argument
  ) {
    var values: [Value] = []
    for argument in repeat each arguments { values.append(argument.packed) }
    self.init(path, interface, description.name, values, to: destination)
  }

  package init(
    _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value] = [],
    to destination: BusName? = nil
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }

  /// The arguments of a signal of that description; nil if it is another one, or its arguments have other types.
  public func arguments<Values>(as description: SignalDescription<Values>) -> Values? {
    member == description.name ? description.values.unpack(arguments) : nil
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
}

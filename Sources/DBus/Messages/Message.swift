// SPDX-License-Identifier: Apache-2.0

/// A call that a peer shall answer.
public struct MethodCall: Hashable, Sendable {
  /// Who is asked; a well-known name is started by the bus where it can be.
  public var destination: BusName
  /// Which of its objects.
  public var path: ObjectPath
  /// Which interface the method belongs to.
  public var interface: InterfaceName
  /// The method.
  public var member: MemberName
  /// The arguments.
  public var arguments: [Value]
  /// Whether the bus may start a destination that nobody owns.
  public var startsService = true

  /// A call, not yet sent.
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

  /// A call to the bus itself.
  public static func toBus(_ member: MemberName, _ arguments: [Value] = []) -> MethodCall {
    MethodCall(to: .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", member, arguments)
  }
}

/// A signal, as it came or as it shall go.
public struct Signal: Hashable, Sendable {
  /// Who sent it: a unique name that the bus put there, or the bus. Nil before sending.
  public var sender: BusName?
  /// Whom it was addressed to; nil for everybody who listens.
  public var destination: BusName?
  /// The object that it is about.
  public var path: ObjectPath
  /// The interface that declares it.
  public var interface: InterfaceName
  /// Its name.
  public var member: MemberName
  /// The arguments.
  public var arguments: [Value]
  /// How many signals were lost just before this one, because nobody read the stream in time.
  public var lostBefore = 0

  /// A signal, not yet sent; `destination` nil is a broadcast.
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

/// A call that came in, for a handler.
public struct IncomingCall: Sendable {
  /// Who asks: the unique name that the bus put there.
  public let sender: BusName
  /// The object that is asked.
  public let path: ObjectPath
  /// The interface; it may be missing on the wire, and is found by the member then.
  public let interface: InterfaceName
  /// The method.
  public let member: MemberName
  /// How many bytes the arguments take in the message, but for what aligns them.
  public let size: Int
  let content: Content

  enum Content {
    case values([Value])
    case held(HeldArguments)
  }

  /// The arguments, which have the types that the method declares. Long ones become values when they are first asked for:
  /// decide before whether the caller may send so much.
  public var arguments: [Value] {
    switch content {
    case .values(let values): values
    case .held(let held): held.values
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A failure on our side of the bus; a refusal by a peer is a ``RemoteError``.
public struct BusError: Error, Equatable, CustomStringConvertible {
  /// The kind of failure; new codes may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No address is known, or no bus listens at it.
    public static let noBus = Code(rawValue: "noBus")
    /// The connection to the bus was lost, or did not exist when the call was made.
    public static let disconnected = Code(rawValue: "disconnected")
    /// This connection was closed on purpose.
    public static let closed = Code(rawValue: "closed")
    /// The call was not answered within its time limit.
    public static let timedOut = Code(rawValue: "timedOut")
    /// The calling task was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// A value that cannot be sent: NUL in a string, a wrong element type, or too deep nesting.
    public static let invalidValue = Code(rawValue: "invalidValue")
    /// An array over 64 MiB, or a message over the connection's limit.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// A value that does not fit the requested type.
    public static let unexpectedReply = Code(rawValue: "unexpectedReply")
    /// The same object or name is already exported.
    public static let alreadyExported = Code(rawValue: "alreadyExported")
    /// Another program owns the name.
    public static let nameTaken = Code(rawValue: "nameTaken")
    /// libdbus or the system ran out of memory or descriptors.
    public static let outOfResources = Code(rawValue: "outOfResources")
  }

  /// The code, for `switch`.
  public let code: Code
  /// One line for users.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// One line for a log or a terminal.
  public var description: String { message }
}

/// A refusal by a peer, with its own name and text.
public struct RemoteError: Error, Equatable, CustomStringConvertible {
  /// The name, for `switch`; ``ErrorName`` has the well-known ones.
  public let name: ErrorName
  /// The first argument if it is a string, as usual; otherwise empty.
  public let message: String

  /// Creates a refusal, for a handler.
  public init(_ name: ErrorName, _ message: String) {
    self.name = name
    self.message = message
  }

  /// One line for a log or a terminal.
  public var description: String { message.isEmpty ? name.text : "\(name): \(message)" }
}

/// The reason why a call gave no result: the peer refused it, or it was never answered.
public enum CallError: Error, Equatable, CustomStringConvertible {
  /// The peer refused the call.
  case refused(RemoteError)
  /// The call failed on our side.
  case failed(BusError)

  /// One line for a log or a terminal.
  public var description: String {
    switch self {
    case .refused(let error): error.description
    case .failed(let error): error.description
    }
  }

  /// Whether the peer refused with this name.
  public func isRefusal(_ name: ErrorName) -> Bool {
    if case .refused(let error) = self { error.name == name } else { false }
  }

  /// The code of a failure on our side; nil for a refusal.
  public var failureCode: BusError.Code? {
    if case .failed(let error) = self { error.code } else { nil }
  }
}

extension ErrorName {
  /// A failure without a name of its own.
  public static let failed: ErrorName = "org.freedesktop.DBus.Error.Failed"
  /// The name has no owner, and the bus cannot start one.
  public static let serviceUnknown: ErrorName = "org.freedesktop.DBus.Error.ServiceUnknown"
  /// The name has no owner.
  public static let nameHasNoOwner: ErrorName = "org.freedesktop.DBus.Error.NameHasNoOwner"
  /// The peer disconnected before it answered.
  public static let noReply: ErrorName = "org.freedesktop.DBus.Error.NoReply"
  /// The object does not exist.
  public static let unknownObject: ErrorName = "org.freedesktop.DBus.Error.UnknownObject"
  /// The object does not have the interface.
  public static let unknownInterface: ErrorName = "org.freedesktop.DBus.Error.UnknownInterface"
  /// The interface does not have the method.
  public static let unknownMethod: ErrorName = "org.freedesktop.DBus.Error.UnknownMethod"
  /// The interface does not have the property.
  public static let unknownProperty: ErrorName = "org.freedesktop.DBus.Error.UnknownProperty"
  /// The property is read-only.
  public static let propertyReadOnly: ErrorName = "org.freedesktop.DBus.Error.PropertyReadOnly"
  /// The arguments do not have the types of the method.
  public static let invalidArgs: ErrorName = "org.freedesktop.DBus.Error.InvalidArgs"
  /// Access denied.
  public static let accessDenied: ErrorName = "org.freedesktop.DBus.Error.AccessDenied"
  /// A limit was exceeded.
  public static let limitsExceeded: ErrorName = "org.freedesktop.DBus.Error.LimitsExceeded"
}

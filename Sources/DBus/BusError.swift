// SPDX-License-Identifier: Apache-2.0

/// Something failed on our side of the bus; what a peer refused is a ``RemoteError``.
public struct BusError: Error, Equatable, CustomStringConvertible {
  /// What failed; new codes may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// From a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No address is known, or nobody listens there.
    public static let noBus = Code(rawValue: "noBus")
    /// The bus went away, or was never there when the call was made.
    public static let disconnected = Code(rawValue: "disconnected")
    /// Somebody closed this connection on purpose.
    public static let closed = Code(rawValue: "closed")
    /// No answer within the call's time limit.
    public static let timedOut = Code(rawValue: "timedOut")
    /// The task that asked was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// A value that may not be sent: NUL in a string, a wrong element type, a nesting too deep.
    public static let invalidValue = Code(rawValue: "invalidValue")
    /// An array over 64 MiB, or a message over the connection's limit.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// A value that does not fit the type that was asked for.
    public static let unexpectedReply = Code(rawValue: "unexpectedReply")
    /// The same object or name is there already.
    public static let alreadyExported = Code(rawValue: "alreadyExported")
    /// libdbus or the system ran out of memory or descriptors.
    public static let outOfResources = Code(rawValue: "outOfResources")
  }

  /// What to switch on.
  public let code: Code
  /// One line for a person.
  public let message: String

  /// An error of our own making.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// One line for a log or a terminal.
  public var description: String { message }
}

/// A peer's refusal, in its own words.
public struct RemoteError: Error, Equatable, CustomStringConvertible {
  /// What to switch on; ``ErrorName`` has the well-known ones.
  public let name: ErrorName
  /// The first argument where it is a string, as is the custom; else empty.
  public let message: String

  /// For a handler that refuses a call.
  public init(_ name: ErrorName, _ message: String) {
    self.name = name
    self.message = message
  }

  /// One line for a log or a terminal.
  public var description: String { message.isEmpty ? name.text : "\(name): \(message)" }
}

/// Why a call gave no result: the peer said no, or it never came to that.
public enum CallError: Error, Equatable, CustomStringConvertible {
  /// The peer's own words.
  case refused(RemoteError)
  /// Ours.
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

  /// Our own code, where it was us.
  public var failureCode: BusError.Code? {
    if case .failed(let error) = self { error.code } else { nil }
  }
}

extension ErrorName {
  /// A failure that has no name of its own.
  public static let failed: ErrorName = "org.freedesktop.DBus.Error.Failed"
  /// Nobody owns the name, and it cannot be started.
  public static let serviceUnknown: ErrorName = "org.freedesktop.DBus.Error.ServiceUnknown"
  /// Nobody owns the name.
  public static let nameHasNoOwner: ErrorName = "org.freedesktop.DBus.Error.NameHasNoOwner"
  /// The peer went away before it answered.
  public static let noReply: ErrorName = "org.freedesktop.DBus.Error.NoReply"
  /// There is no such object.
  public static let unknownObject: ErrorName = "org.freedesktop.DBus.Error.UnknownObject"
  /// The object lacks the interface.
  public static let unknownInterface: ErrorName = "org.freedesktop.DBus.Error.UnknownInterface"
  /// The interface lacks the method.
  public static let unknownMethod: ErrorName = "org.freedesktop.DBus.Error.UnknownMethod"
  /// The interface lacks the property.
  public static let unknownProperty: ErrorName = "org.freedesktop.DBus.Error.UnknownProperty"
  /// The property cannot be set.
  public static let propertyReadOnly: ErrorName = "org.freedesktop.DBus.Error.PropertyReadOnly"
  /// The arguments have other types than the method takes.
  public static let invalidArgs: ErrorName = "org.freedesktop.DBus.Error.InvalidArgs"
  /// The caller may not.
  public static let accessDenied: ErrorName = "org.freedesktop.DBus.Error.AccessDenied"
  /// Too much of something.
  public static let limitsExceeded: ErrorName = "org.freedesktop.DBus.Error.LimitsExceeded"
}

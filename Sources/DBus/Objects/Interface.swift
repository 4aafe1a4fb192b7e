// SPDX-License-Identifier: Apache-2.0

/// What an exported object offers: a table of methods, signals and properties.
///
///     let clock = Interface(
///       "org.example.Clock",
///       methods: [
///         Method("Now", out: ["time": "x"]) { _ in [.int64(now())] }
///       ])
///
/// The table is the contract: introspection is made from it, and a call with other types than it declares never
/// reaches a handler.
public struct Interface: Sendable {
  /// Its name.
  public let name: InterfaceName
  /// What can be called.
  public let methods: [Method]
  /// What it may emit; for introspection only.
  public let signals: [SignalDescription]
  /// What can be read or set.
  public let properties: [Property]

  /// A table.
  public init(
    _ name: InterfaceName, methods: [Method] = [], signals: [SignalDescription] = [], properties: [Property] = []
  ) {
    self.name = name
    self.methods = methods
    self.signals = signals
    self.properties = properties
  }
}

/// A named argument and its type.
public struct Argument: Hashable, Sendable {
  /// For people and bindings.
  public let name: String
  /// One complete type.
  public let type: Signature

  static func list(_ arguments: KeyValuePairs<String, Signature>) -> [Argument] {
    arguments.map { Argument(name: $0.key, type: $0.value) }
  }
}

/// One method of a table.
public struct Method: Sendable {
  /// Answers a call; what it throws is answered for it. A ``RemoteError`` goes out as it is.
  public typealias Handler = @Sendable (IncomingCall) async throws -> [Value]

  /// Its name.
  public let name: MemberName
  /// What it takes.
  public let inputs: [Argument]
  /// What it answers.
  public let outputs: [Argument]
  /// The types that it takes, as one signature.
  let signature: Signature
  let handler: Handler

  /// A row.
  public init(
    _ name: MemberName, in inputs: KeyValuePairs<String, Signature> = [:],
    out outputs: KeyValuePairs<String, Signature> = [:], _ handler: @escaping Handler
  ) {
    self.name = name
    self.inputs = Argument.list(inputs)
    self.outputs = Argument.list(outputs)
    signature = Signature(unchecked: self.inputs.map(\.type.text).joined())
    self.handler = handler
  }
}

/// One signal of a table.
public struct SignalDescription: Hashable, Sendable {
  /// Its name.
  public let name: MemberName
  /// What it carries.
  public let arguments: [Argument]

  /// A row.
  public init(_ name: MemberName, _ arguments: KeyValuePairs<String, Signature> = [:]) {
    self.name = name
    self.arguments = Argument.list(arguments)
  }
}

/// One property of a table.
public struct Property: Sendable {
  /// What `PropertiesChanged` does for it.
  public enum Changes: String, Sendable {
    /// The signal carries the new value.
    case announced = "true"
    /// The signal only says that the value is another.
    case invalidated = "invalidates"
    /// It never changes.
    case constant = "const"
    /// It changes without a word.
    case silent = "false"
  }

  /// Reads the value.
  public typealias Getter = @Sendable () async throws -> Value
  /// Takes a value of the property's type.
  public typealias Setter = @Sendable (Value) async throws -> Void

  /// Its name.
  public let name: MemberName
  /// One complete type.
  public let type: Signature
  /// How a change is told.
  public let changes: Changes
  let getter: Getter
  let setter: Setter?

  /// A row; without a setter it is read-only.
  public init(
    _ name: MemberName, _ type: Signature, changes: Changes = .announced, set setter: Setter? = nil,
    get getter: @escaping Getter
  ) {
    self.name = name
    self.type = type
    self.changes = changes
    self.getter = getter
    self.setter = setter
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The interface of an exported object: a table of methods, signals and properties.
///
///     let clock = Interface(
///       "org.example.Clock",
///       methods: [
///         Method("Now", out: ["time": "x"]) { _ in [.int64(now())] }
///       ])
///
/// The table is the contract: introspection is generated from it, and a call with other types than it declares never
/// reaches a handler.
public struct Interface: Sendable {
  /// Its name.
  public let name: InterfaceName
  /// The methods.
  public let methods: [Method]
  /// The signals, for introspection only.
  public let signals: [SignalDescription]
  /// The properties.
  public let properties: [Property]
  /// The bounds of calls to methods without bounds of their own.
  public let bounds: Bounds

  /// Creates a table.
  public init(
    _ name: InterfaceName, bounds: Bounds = .message, methods: [Method] = [], signals: [SignalDescription] = [],
    properties: [Property] = []
  ) {
    self.name = name
    self.bounds = bounds
    self.methods = methods
    self.signals = signals
    self.properties = properties
  }

  subscript(member: MemberName) -> Method? { methods.first { $0.name == member } }
}

/// A named argument and its type.
public struct Argument: Hashable, Sendable {
  /// The name, for users and bindings.
  public let name: String
  /// One complete type.
  public let type: Signature

  static func list(_ arguments: KeyValuePairs<String, Signature>) -> [Argument] {
    arguments.map { Argument(name: $0.key, type: $0.value) }
  }
}

/// One method of a table.
public struct Method: Sendable {
  /// Answers a call. An error that it throws becomes the answer; a ``RemoteError`` is sent unchanged.
  ///
  /// It starts on the connection's loop, in the order of the calls. A closure with a capture list (`[weak self]`) does
  /// not: it moves to a thread pool first (Swift 6.3). Capture a constant that holds the reference instead.
  public typealias Handler = @Sendable (IncomingCall) async throws -> [Value]

  /// Its name.
  public let name: MemberName
  /// The parameters.
  public let inputs: [Argument]
  /// The results.
  public let outputs: [Argument]
  /// The bounds of a call; nil for those of the interface.
  public let bounds: Bounds?
  /// Whether a call may carry descriptors. Those of other calls are not duplicated.
  public let takesDescriptors: Bool
  /// The types of the parameters as one signature.
  let signature: Signature
  private let results: [ValueType]
  let handler: Handler

  /// Creates a row. It accepts descriptors if its signature has one (`h`), unless specified otherwise.
  public init(
    _ name: MemberName, in inputs: KeyValuePairs<String, Signature> = [:],
    out outputs: KeyValuePairs<String, Signature> = [:], bounds: Bounds? = nil, takesDescriptors: Bool? = nil,
    _ handler: @escaping Handler
  ) {
    self.name = name
    self.inputs = Argument.list(inputs)
    self.outputs = Argument.list(outputs)
    self.bounds = bounds
    signature = Signature(unchecked: self.inputs.map(\.type.text).joined())
    self.takesDescriptors = takesDescriptors ?? signature.text.utf8.contains(UInt8(ascii: "h"))
    results = self.outputs.flatMap(\.type.types)
    self.handler = handler
  }

  /// A result of the wrong type is the handler's mistake, not the caller's; the error tells so.
  func check(_ results: [Value]) throws(BusError) {
    var isRight = results.count == self.results.count
    for (value, type) in zip(results, self.results) where !value.hasType(type) { isRight = false }
    if isRight { return }
    let declared = self.results.map(\.code).joined()
    throw BusError(
      .invalidValue, "'\(name)' must return '\(declared)', not '\(results.map(\.type.code).joined())'")
  }
}

/// One signal of a table.
public struct SignalDescription: Hashable, Sendable {
  /// Its name.
  public let name: MemberName
  /// The arguments.
  public let arguments: [Argument]

  /// Creates a row.
  public init(_ name: MemberName, _ arguments: KeyValuePairs<String, Signature> = [:]) {
    self.name = name
    self.arguments = Argument.list(arguments)
  }
}

/// One property of a table.
public struct Property: Sendable {
  /// How `PropertiesChanged` announces a change.
  public enum Changes: String, Sendable {
    /// The signal has the new value.
    case announced = "true"
    /// The signal only names the property.
    case invalidated = "invalidates"
    /// The property never changes.
    case constant = "const"
    /// Changes are not announced.
    case silent = "false"
  }

  /// Reads the value.
  public typealias Getter = @Sendable () async throws -> Value
  /// Reads the value for one caller; nil if all callers see the same value.
  public typealias PersonalGetter = @Sendable (BusName?) async throws -> Value
  /// Sets a value of the property's type.
  public typealias Setter = @Sendable (Value) async throws -> Void

  /// Its name.
  public let name: MemberName
  /// One complete type.
  public let type: Signature
  /// How a change is announced.
  public let changes: Changes
  let valueType: ValueType?
  private let getter: PersonalGetter
  let setter: Setter?

  /// Creates a row; without a setter the property is read-only.
  public init(
    _ name: MemberName, _ type: Signature, changes: Changes = .announced, set setter: Setter? = nil,
    get getter: @escaping Getter
  ) {
    self.init(name, type, changes: changes, set: setter, for: { _ in try await getter() })
  }

  /// Creates a row whose value depends on the caller.
  public init(
    _ name: MemberName, _ type: Signature, changes: Changes = .announced, set setter: Setter? = nil,
    for getter: @escaping PersonalGetter
  ) {
    self.name = name
    self.type = type
    self.changes = changes
    valueType = type.singleType
    self.getter = getter
    self.setter = setter
  }

  /// A value of the wrong type is the getter's mistake, not the caller's; the error tells so.
  func read(for caller: BusName? = nil) async throws -> Value {
    let value = try await getter(caller)
    if let valueType, value.hasType(valueType) { return value }
    throw RemoteError(.failed, "the property '\(name)' must be of type '\(type)', not '\(value.type.code)'")
  }
}

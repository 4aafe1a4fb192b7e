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
  /// What a call may bring whose method does not say so itself.
  public let bounds: Bounds

  /// A table.
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
  ///
  /// It begins on the connection's loop, in the order of the calls. A closure with a capture list (`[weak self]`) does
  /// not, it hops to a thread pool first (Swift 6.3): capture a constant that holds the reference instead.
  public typealias Handler = @Sendable (IncomingCall) async throws -> [Value]

  /// Its name.
  public let name: MemberName
  /// What it takes.
  public let inputs: [Argument]
  /// What it answers.
  public let outputs: [Argument]
  /// What a call may bring; nil: what the interface says.
  public let bounds: Bounds?
  /// Whether a call may carry descriptors. Of one that it does not take, none is duplicated.
  public let takesDescriptors: Bool
  /// The types that it takes, as one signature.
  let signature: Signature
  private let results: [ValueType]
  let handler: Handler

  /// A row. It takes descriptors where its signature has one (`h`), unless it says otherwise.
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

  /// A wrong answer would be the caller's trouble; it is the handler's mistake, and is said so.
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
  /// Reads what one caller may see; nil: what every listener is told.
  public typealias PersonalGetter = @Sendable (BusName?) async throws -> Value
  /// Takes a value of the property's type.
  public typealias Setter = @Sendable (Value) async throws -> Void

  /// Its name.
  public let name: MemberName
  /// One complete type.
  public let type: Signature
  /// How a change is told.
  public let changes: Changes
  let valueType: ValueType?
  private let getter: PersonalGetter
  let setter: Setter?

  /// A row; without a setter it is read-only.
  public init(
    _ name: MemberName, _ type: Signature, changes: Changes = .announced, set setter: Setter? = nil,
    get getter: @escaping Getter
  ) {
    self.init(name, type, changes: changes, set: setter, for: { _ in try await getter() })
  }

  /// A row whose value depends on who asks.
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

  /// A wrong value would be the reader's trouble; it is the getter's mistake, and is said so.
  func read(for caller: BusName? = nil) async throws -> Value {
    let value = try await getter(caller)
    if let valueType, value.hasType(valueType) { return value }
    throw RemoteError(.failed, "the property '\(name)' must be of type '\(type)', not '\(value.type.code)'")
  }
}

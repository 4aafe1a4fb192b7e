// SPDX-License-Identifier: Apache-2.0

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

  typealias Getter = @Sendable (isolated Connection, BusName?) async throws -> Value
  typealias Setter = @Sendable (isolated Connection, Value) async throws -> Void

  /// Its name.
  public let name: MemberName
  /// One complete type.
  public let type: Signature
  /// How a change is announced.
  public let changes: Changes
  let valueType: ValueType
  private let getter: Getter
  let setter: Setter?

  /// Creates a row; without a setter the property is read-only.
  ///
  /// The getter reads the value for one caller; the caller is nil if all get the same value. Like the handler of a
  /// ``Method``, it cannot leave the connection's loop.
  public init<T: BusType>(
    _ name: MemberName, _ type: T.Type, changes: Changes = .announced,
    set setter: (@Sendable (isolated Connection, T) async throws -> Void)? = nil,
    get getter: @escaping @Sendable (isolated Connection, BusName?) async throws -> T
  ) {
    self.init(
      name, T.busType, changes,
      set: setter.map { setter -> Setter in
        { connection, value in
          guard let value = T.unpack(value) else { throw Self.mismatch(name, T.busType, value) }
          try await setter(connection, value)
        }
      },
      get: { connection, caller in try await getter(connection, caller).packed })
  }

  init(
    _ name: MemberName, _ valueType: ValueType, _ changes: Changes, set setter: Setter?, get getter: @escaping Getter
  ) {
    self.name = name
    type = Signature([valueType])
    self.changes = changes
    self.valueType = valueType
    self.getter = getter
    self.setter = setter
  }

  /// A value of the wrong type is the getter's mistake, not the caller's; the error tells so.
  func read(on connection: isolated Connection, for caller: BusName? = nil) async throws -> Value {
    let value = try await getter(connection, caller)
    if value.hasType(valueType) { return value }
    throw RemoteError(.failed, "the property '\(name)' must be of type '\(type)', not '\(value.type.code)'")
  }

  func set(_ value: Value, on connection: isolated Connection) async throws {
    guard let setter else { throw RemoteError(.propertyReadOnly, "the property '\(name)' can only be read") }
    guard value.hasType(valueType) else { throw Self.mismatch(name, valueType, value) }
    try await setter(connection, value)
  }

  private static func mismatch(_ name: MemberName, _ type: ValueType, _ value: Value) -> RemoteError {
    RemoteError(.invalidArgs, "the property '\(name)' is of type '\(type.code)', not '\(value.type.code)'")
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A property as both sides know it: its name and its Swift type.
///
///     let percentage = PropertyDescription("Percentage", Double.self)
///     let battery = RemoteObject(
///       "org.freedesktop.UPower", "/org/freedesktop/UPower/devices/DisplayDevice", "org.freedesktop.UPower.Device")
///     let charge = try await bus.value(of: percentage, of: battery)
public struct PropertyDescription<Content: BusType>: Sendable {
  /// Its name.
  public let name: MemberName

  /// Creates a description.
  public init(_ name: MemberName, _ type: Content.Type) { self.name = name }
}

extension Property {
  /// Creates a row of a described property; without a setter it is read-only.
  public init<Content: BusType>(
    _ description: PropertyDescription<Content>, changes: Changes = .announced,
    set setter: (@Sendable (isolated Connection, Content) async throws -> Void)? = nil,
    get getter: @escaping @Sendable (isolated Connection, BusName?) async throws -> Content
  ) {
    self.init(description.name, Content.self, changes: changes, set: setter, get: getter)
  }
}

extension Connection {
  /// Reads a property of an object.
  public func value<Content: BusType>(
    of property: PropertyDescription<Content>, of object: RemoteObject, limit: Duration = usualLimit
  ) async throws(CallError) -> Content {
    let value = try await call(
      StandardInterfaces.get, of: object.properties, object.interface.text, property.name.text, limit: limit)
    return try property.content(of: value)
  }

  /// Changes a property of an object.
  public func set<Content: BusType>(
    _ property: PropertyDescription<Content>, of object: RemoteObject, to content: Content,
    limit: Duration = usualLimit
  ) async throws(CallError) {
    try await call(
      StandardInterfaces.set, of: object.properties, object.interface.text, property.name.text, content.busValue,
      limit: limit)
  }

  /// Reads all properties of an object.
  public func properties(
    of object: RemoteObject, limit: Duration = usualLimit
  ) async throws(CallError) -> [String: Value] {
    try await call(StandardInterfaces.getAll, of: object.properties, object.interface.text, limit: limit)
  }

  /// The value of a property, and each later one that the object announces. The sequence ends with an error when the
  /// connection does.
  public func values<Content: BusType>(
    of property: PropertyDescription<Content>, of object: RemoteObject
  ) async throws(CallError) -> PropertyValues<Content> {
    // Before the value is read, so that no change is missed.
    let changes = try await signals(
      matching: MatchRule(
        sender: object.peer, path: object.path, interface: StandardInterfaces.properties, member: "PropertiesChanged",
        firstArgument: object.interface.text))
    return PropertyValues(connection: self, property: property, object: object, changes: changes)
  }
}

/// The values of a property: see ``Connection/values(of:of:)``. For one reader.
public struct PropertyValues<Content: BusType>: AsyncSequence, Sendable {
  let connection: Connection
  let property: PropertyDescription<Content>
  let object: RemoteObject
  let changes: SignalStream

  /// Starts with the current value.
  public func makeAsyncIterator() -> Iterator { Iterator(values: self, changes: changes.makeAsyncIterator()) }

  /// Reads the values.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let values: PropertyValues
    fileprivate var changes: SignalStream.Iterator
    private var hasBegun = false

    fileprivate init(values: PropertyValues, changes: SignalStream.Iterator) {
      self.values = values
      self.changes = changes
    }

    /// Returns the next value; nil if the task is cancelled.
    public mutating func next() async throws(CallError) -> Content? { try await next(isolation: nil) }

    /// Returns the next value; nil if the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(CallError) -> Content? {
      let name = values.property.name.text
      if !hasBegun {
        hasBegun = true
        return try await read()
      }
      while let signal = try await nextChange() {
        guard let (_, changed, invalidated) = signal.arguments(as: StandardInterfaces.propertiesChanged) else {
          continue
        }
        if let value = changed[name] { return try values.property.content(of: value) }
        if invalidated.contains(name) { return try await read() }
      }
      return nil
    }

    private func read() async throws(CallError) -> Content {
      try await values.connection.value(of: values.property, of: values.object)
    }

    private mutating func nextChange() async throws(CallError) -> Signal? {
      do throws(BusError) { return try await changes.next(isolation: nil) } catch { throw .failed(error) }
    }
  }
}

extension PropertyDescription {
  fileprivate func content(of value: Value) throws(CallError) -> Content {
    guard let content = Content.unpack(value) else {
      throw .failed(
        BusError(
          .unexpectedReply,
          "the property '\(name)' is of type '\(value.type.code)', not '\(Content.busType.code)'"))
    }
    return content
  }
}

extension RemoteObject {
  /// The interface of the object's properties.
  fileprivate var properties: RemoteObject {
    RemoteObject(peer, path, StandardInterfaces.properties, startsService: startsService)
  }
}

// SPDX-License-Identifier: Apache-2.0

extension Connection {
  /// Announces to all listeners that these properties have new values.
  public func propertiesChanged(
    _ names: [MemberName], of interface: InterfaceName, at path: ObjectPath
  ) async throws {
    let changed = (objects[path]?.interfaces[interface]?.properties ?? []).filter { names.contains($0.name) }
    var values: [String: Value] = [:]
    for property in changed where property.changes == .announced {
      values[property.name.text] = try await property.read()
    }
    let invalidated = changed.filter { $0.changes == .invalidated }.map(\.name.text)
    if values.isEmpty && invalidated.isEmpty { return }
    let arguments: [Value] = [.string(interface.text), .properties(values), .strings(invalidated)]
    try emit(Signal(path, "org.freedesktop.DBus.Properties", "PropertiesChanged", arguments))
  }

  func property(
    _ name: String, of interface: String, at path: ObjectPath, for caller: BusName
  ) async throws -> Value {
    try await row(name, of: interface, at: path).read(for: caller)
  }

  func properties(of interface: String, at path: ObjectPath, for caller: BusName) async throws -> [String: Value] {
    var values: [String: Value] = [:]
    for property in try tables(interface, at: path).flatMap(\.properties) {
      values[property.name.text] = try await property.read(for: caller)
    }
    return values
  }

  func set(_ name: String, of interface: String, at path: ObjectPath, to value: Value) async throws {
    let property = try row(name, of: interface, at: path)
    guard let setter = property.setter else {
      throw RemoteError(.propertyReadOnly, "the property '\(name)' can only be read")
    }
    guard property.valueType.map({ value.hasType($0) }) ?? false else {
      throw RemoteError(.invalidArgs, "the property '\(name)' is of type '\(property.type)', not '\(value.type.code)'")
    }
    try await setter(value)
  }

  private func row(_ name: String, of interface: String, at path: ObjectPath) throws(RemoteError) -> Property {
    for table in try tables(interface, at: path) {
      if let property = table.properties.first(where: { $0.name.text == name }) { return property }
    }
    throw RemoteError(.unknownProperty, "there is no property '\(name)'")
  }

  /// An empty name means all interfaces of the object.
  private func tables(_ interface: String, at path: ObjectPath) throws(RemoteError) -> [Interface] {
    let tables = objects[path]?.interfaces.values.sorted { $0.name < $1.name } ?? []
    if interface.isEmpty { return tables }
    if let table = tables.first(where: { $0.name.text == interface }) { return [table] }
    // The standard interfaces have no properties; querying them is not an error.
    if interface.hasPrefix("org.freedesktop.DBus.") { return [] }
    throw RemoteError(.unknownInterface, "the object at '\(path)' has no such interface")
  }

  // MARK: ObjectManager

  func managedObjects(below manager: ObjectPath) async throws -> Value {
    var entries: [DictionaryValue.Entry] = []
    for (path, object) in objects.objects.sorted(by: { $0.key < $1.key })
    where path != manager && path.isWithin(manager) {
      let tables = object.interfaces.values.sorted { $0.name < $1.name }
      entries.append(.init(key: .objectPath(path), value: try await Self.description(of: tables)))
    }
    return .dictionary(
      DictionaryValue(
        keyType: .objectPath, valueType: .dictionary(.string, .properties), entries: entries))
  }

  func announce(_ interface: Interface, at path: ObjectPath, by manager: ObjectPath) async {
    guard let description = try? await Self.description(of: [interface]) else { return }
    // The object may have been removed while its properties were read.
    guard objects[path]?.interfaces[interface.name] != nil else { return }
    let arguments: [Value] = [.objectPath(path), description]
    try? emit(Signal(manager, "org.freedesktop.DBus.ObjectManager", "InterfacesAdded", arguments))
  }

  private static func description(of tables: [Interface]) async throws -> Value {
    var entries: [DictionaryValue.Entry] = []
    for table in tables {
      var values: [String: Value] = [:]
      for property in table.properties { values[property.name.text] = try await property.read() }
      entries.append(.init(key: .string(table.name.text), value: .properties(values)))
    }
    return .dictionary(DictionaryValue(keyType: .string, valueType: .properties, entries: entries))
  }
}

// SPDX-License-Identifier: Apache-2.0

extension Connection {
  /// Announces to all listeners that these properties have new values.
  public func propertiesChanged(
    _ names: [MemberName], of interface: InterfaceName, at path: ObjectPath
  ) async throws {
    let changed = (objects[path]?.interfaces[interface]?.properties ?? []).filter { names.contains($0.name) }
    var values: [String: Value] = [:]
    for property in changed where property.changes == .announced {
      values[property.name.text] = try await property.read(on: self)
    }
    let invalidated = changed.filter { $0.changes == .invalidated }.map(\.name.text)
    if values.isEmpty && invalidated.isEmpty { return }
    try emit(
      Signal(
        StandardInterfaces.propertiesChanged, path, StandardInterfaces.properties, interface.text, values, invalidated))
  }

  func property(
    _ name: String, of interface: String, at path: ObjectPath, for caller: BusName
  ) async throws -> Value {
    try await row(name, of: interface, at: path).read(on: self, for: caller)
  }

  func properties(of interface: String, at path: ObjectPath, for caller: BusName) async throws -> [String: Value] {
    var values: [String: Value] = [:]
    for property in try tables(interface, at: path).flatMap(\.properties) {
      values[property.name.text] = try await property.read(on: self, for: caller)
    }
    return values
  }

  func set(_ name: String, of interface: String, at path: ObjectPath, to value: Value) async throws {
    try await row(name, of: interface, at: path).set(value, on: self)
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

  func managedObjects(below manager: ObjectPath) async throws -> [ObjectPath: [String: [String: Value]]] {
    var found: [ObjectPath: [String: [String: Value]]] = [:]
    for (path, object) in objects.objects where path != manager && path.isWithin(manager) {
      found[path] = try await description(of: Array(object.interfaces.values))
    }
    return found
  }

  func announce(_ interface: Interface, at path: ObjectPath, by manager: ObjectPath) async {
    guard let description = try? await description(of: [interface]) else { return }
    // The object may have been removed while its properties were read.
    guard objects[path]?.interfaces[interface.name] != nil else { return }
    try? emit(
      Signal(StandardInterfaces.interfacesAdded, manager, StandardInterfaces.objectManager, path, description))
  }

  private func description(of tables: [Interface]) async throws -> [String: [String: Value]] {
    var found: [String: [String: Value]] = [:]
    for table in tables {
      var values: [String: Value] = [:]
      for property in table.properties { values[property.name.text] = try await property.read(on: self) }
      found[table.name.text] = values
    }
    return found
  }
}

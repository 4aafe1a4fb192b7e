// SPDX-License-Identifier: Apache-2.0

/// The objects that a connection exports, by path.
struct ObjectTree {
  struct Object {
    var interfaces: [InterfaceName: Interface] = [:]
    /// Whether the object answers for all objects below it (`org.freedesktop.DBus.ObjectManager`).
    var isManager = false
  }

  private(set) var objects: [ObjectPath: Object] = [:]
  private var managers: Set<ObjectPath> = []

  mutating func add(_ interface: Interface, at path: ObjectPath) throws(BusError) {
    guard objects[path]?.interfaces[interface.name] == nil else {
      throw BusError(.alreadyExported, "'\(path)' has the interface '\(interface.name)' already")
    }
    objects[path, default: Object()].interfaces[interface.name] = interface
  }

  mutating func addManager(at path: ObjectPath) {
    objects[path, default: Object()].isManager = true
    managers.insert(path)
  }

  mutating func remove(_ name: InterfaceName, at path: ObjectPath) {
    objects[path]?.interfaces[name] = nil
    if let object = objects[path], object.interfaces.isEmpty, !object.isManager { objects[path] = nil }
  }

  subscript(path: ObjectPath) -> Object? { objects[path] }

  /// The next elements of the paths below `path`, for introspection.
  func children(of path: ObjectPath) -> [String] {
    Set(objects.keys.compactMap { $0.child(of: path).map(String.init) }).sorted()
  }

  /// Whether there are objects at or below `path`.
  func isKnown(_ path: ObjectPath) -> Bool {
    path == .root || objects[path] != nil || objects.keys.contains { $0.isWithin(path) }
  }

  /// The nearest manager above `path`.
  func manager(above path: ObjectPath) -> ObjectPath? {
    managers.filter { $0 != path && path.isWithin($0) }.max { $0.text.utf8.count < $1.text.utf8.count }
  }

  /// Finds a method by its member and, if given, its interface.
  func method(_ member: MemberName, of interface: InterfaceName?, at path: ObjectPath) throws(RemoteError)
    -> (Interface, Method)
  {
    guard let object = objects[path] else {
      throw RemoteError(.unknownObject, "there is no object at '\(path)'")
    }
    if let interface {
      guard let table = object.interfaces[interface] else {
        throw RemoteError(.unknownInterface, "the object at '\(path)' has no interface '\(interface)'")
      }
      guard let method = table[member] else {
        throw RemoteError(.unknownMethod, "the interface '\(interface)' has no method '\(member)'")
      }
      return (table, method)
    }
    for table in object.interfaces.values.sorted(by: { $0.name < $1.name }) {
      if let method = table[member] { return (table, method) }
    }
    throw RemoteError(.unknownMethod, "the object at '\(path)' has no method '\(member)'")
  }
}

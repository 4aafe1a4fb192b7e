// SPDX-License-Identifier: Apache-2.0

/// A structure of any number of fields: `(…)`.
///
///     let logind = RemoteObject("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")
///     // a(susso)
///     let sessions = try await bus.call(
///       "ListSessions", of: logind, returning: [Structure<String, UInt32, String, String, ObjectPath>].self)
///     for session in sessions {
///       let (id, user, name, seat, path) = session.fields
///       print(id, user, name, seat, path)
///     }
///
/// For two fields, ``Pair`` has names. Write closures instead of key paths to the fields: Swift 6.3 crashes on key
/// paths to a type with a pack.
public struct Structure<each Field: BusType>: BusType {
  /// The fields.
  public var fields: (repeat each Field)

  /// Creates a structure, which has at least one field.
  public init(_ fields: repeat each Field) { self.fields = (repeat each fields) }

  /// `(…)`
  public static var busType: ValueType {
    var types: [ValueType] = []
    for type in repeat (each Field).self { types.append(type.busType) }
    return .structure(types)
  }

  /// Reads the fields in order.
  public static func read(from reader: inout ArgumentReader) throws(BusError) -> Structure {
    var inside = reader.enter()
    return Structure(repeat try (each Field).read(from: &inside))
  }

  /// Writes the fields in order.
  public func write(to writer: inout WireWriter) throws(BusError) {
    try writer.addStructure { (writer) throws(BusError) in
      repeat try (each fields).write(to: &writer)
    }
  }

  /// Returns nil if the number of fields or one of the types differs.
  public static func unpack(_ value: Value) -> Structure? {
    guard case .structure(let values) = value else { return nil }
    var rest = values[...]
    do throws(OtherType) {
      let structure = Structure(repeat try next((each Field).self, in: &rest))
      return rest.isEmpty ? structure : nil
    } catch {
      return nil
    }
  }

  /// The structure as a value.
  public var busValue: Value {
    var values: [Value] = []
    for field in repeat each fields { values.append(field.packed) }
    return .structure(values)
  }
}

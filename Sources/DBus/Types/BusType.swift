// SPDX-License-Identifier: Apache-2.0

/// A Swift type that stands for one type of the bus, so that the compiler knows the types of a message.
///
/// | Swift | bus |
/// |---|---|
/// | `UInt8`, `Int16`, `UInt16`, `Int32`, `UInt32`, `Int64`, `UInt64` | `y`, `n`, `q`, `i`, `u`, `x`, `t` |
/// | `Bool`, `Double`, `String`, ``UnixFD`` | `b`, `d`, `s`, `h` |
/// | ``ObjectPath``, ``Signature`` | `o`, `g` |
/// | ``BusName``, ``InterfaceName``, ``MemberName``, ``ErrorName`` | `s`, checked when it is read |
/// | array, dictionary, ``Pair``, ``Structure`` | `a…`, `a{…}`, `(…)` |
/// | ``Value`` | `v`: the value inside of the variant |
/// | `[String: Value]` | `a{sv}`; if a key occurs twice, the last counts |
/// | ``Properties`` | `a{sv}` as it came, for `Codable` |
///
/// Values are read from a message and written to one directly. The requirements are for this library.
public protocol BusType: Sendable {
  /// The type on the bus.
  static var busType: ValueType { get }

  /// Reads the next value of a message, which has this type.
  static func read(from reader: inout ArgumentReader) throws(BusError) -> Self

  /// Appends the value to a message.
  func write(to writer: inout WireWriter) throws(BusError)

  /// Converts a value; nil if it is of another type.
  static func unpack(_ value: Value) -> Self?

  /// The value on the bus; in a ``Value`` without the variant around it.
  var busValue: Value { get }
}

/// A type that can be the key of a dictionary.
public protocol BusKey: BusType, Hashable, Comparable {}

extension Value {
  /// The value as a `T`; nil if it is of another type.
  public func `as`<T: BusType>(_ type: T.Type = T.self) -> T? { T.unpack(self) }
}

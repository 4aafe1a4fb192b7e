// SPDX-License-Identifier: Apache-2.0

/// A named argument and its type.
public struct Argument: Hashable, Sendable {
  /// The name, for users and bindings.
  public let name: String
  /// One complete type.
  public let type: Signature
}

/// The arguments of a message: their names, and their types as Swift types. `Values` is the type of the only one, or a
/// tuple of all.
public final class Arguments<Values: Sendable>: Sendable {
  /// The names and types, in order.
  public let list: [Argument]
  /// The types as one signature.
  public let signature: Signature
  private let reading: @Sendable (inout ArgumentReader) throws(BusError) -> Values
  private let writing: @Sendable (Values, inout WireWriter) throws(BusError) -> Void
  private let packing: @Sendable (Values) -> [Value]
  private let unpacking: @Sendable ([Value]) -> Values?

  init(
    _ list: [Argument], reading: @escaping @Sendable (inout ArgumentReader) throws(BusError) -> Values,
    writing: @escaping @Sendable (Values, inout WireWriter) throws(BusError) -> Void,
    packing: @escaping @Sendable (Values) -> [Value], unpacking: @escaping @Sendable ([Value]) -> Values?
  ) {
    self.list = list
    // Without `joined`, whose first use takes longer than all the rest.
    signature = Signature(unchecked: list.reduce(into: "") { $0 += $1.type.text })
    self.reading = reading
    self.writing = writing
    self.packing = packing
    self.unpacking = unpacking
  }

  convenience init<each Element: BusType>(
    _ arguments: repeat (name: String, type: (each Element).Type)
  ) where Values == (repeat each Element) {
    var list: [Argument] = []
    for argument in repeat each arguments {
      list.append(Argument(name: argument.name, type: Signature(unchecked: argument.type.busType.code)))
    }
    let count = list.count
    self.init(
      list, reading: { (reader) throws(BusError) in (repeat try (each Element).read(from: &reader)) },
      writing: { (values: (repeat each Element), writer) throws(BusError) in
        repeat try (each values).write(to: &writer)
      },
      packing: { (values: (repeat each Element)) in
        var packed: [Value] = []
        for value in repeat each values { packed.append(value.packed) }
        return packed
      },
      unpacking: { values in
        guard values.count == count else { return nil }
        var rest = values[...]
        do throws(OtherType) { return (repeat try next((each Element).self, in: &rest)) } catch { return nil }
      })
  }

  func read(from reader: inout ArgumentReader) throws(BusError) -> Values { try reading(&reader) }

  func write(_ values: Values, to writer: inout WireWriter) throws(BusError) { try writing(values, &writer) }

  /// The arguments as values, each as on the bus.
  func pack(_ values: Values) -> [Value] { packing(values) }

  /// Returns nil if the number of values or one of the types differs.
  func unpack(_ values: [Value]) -> Values? { unpacking(values) }
}

struct OtherType: Error {}

/// Takes the next value.
func next<T: BusType>(_ type: T.Type, in rest: inout ArraySlice<Value>) throws(OtherType) -> T {
  guard let value = rest.popFirst() else { throw OtherType() }
  // A variant stands for any value, and only a variant does.
  if T.busType == .variant {
    guard case .variant(let inner) = value, let unpacked = T.unpack(inner) else { throw OtherType() }
    return unpacked
  }
  guard let unpacked = T.unpack(value) else { throw OtherType() }
  return unpacked
}

extension BusType {
  /// The value as on the bus, where a ``Value`` is a variant.
  var packed: Value {
    if let value = self as? Value { .variant(value) } else { busValue }
  }
}

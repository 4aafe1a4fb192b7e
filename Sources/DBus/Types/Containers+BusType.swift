// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The requirements of the protocol are documented there.

extension Array: BusType where Element: BusType {
  public static var busType: ValueType { .array(Element.busType) }

  // Specialized: in a generic function, the type of the array is looked up again and again.
  @_specialize(where Element == String)
  public static func read(from reader: inout ArgumentReader) throws(BusError) -> [Element] {
    // Compared first, here and below: an empty array can be cast to one of any type.
    if Element.self == UInt8.self { return reader.bytes() as! [Element] }
    var inside = reader.enter()
    var elements: [Element] = []
    while !inside.isAtEnd { elements.append(try Element.read(from: &inside)) }
    return elements
  }

  @_specialize(where Element == String)
  public func write(to writer: inout WireWriter) throws(BusError) {
    if Element.self == UInt8.self { return try writer.addBytes(self as! [UInt8]) }
    let type = Element.busType
    try writer.addArray(alignment: type.alignment, nesting: isEmpty || type.isFixed ? 0 : 1) {
      (writer) throws(BusError) in
      for element in self { try element.write(to: &writer) }
    }
  }

  public static func unpack(_ value: Value) -> [Element]? {
    switch value {
    case .bytes(let bytes): return Element.self == UInt8.self ? bytes as? [Element] : nil
    case .array(of: Element.busType, let values):
      var elements: [Element] = []
      elements.reserveCapacity(values.count)
      for value in values {
        // In an `av` each element is a variant.
        guard let element = Element.unpack(value.openedOnce(for: Element.busType)) else { return nil }
        elements.append(element)
      }
      return elements
    default: return nil
    }
  }

  public var busValue: Value {
    if Element.self == UInt8.self { return .bytes(self as! [UInt8]) }
    // No key path: that of a generic type is made again for each array, which takes longer than all the rest.
    return .array(of: Element.busType, map { $0.packed })
  }
}

extension Dictionary: BusType where Key: BusKey, Value: BusType {
  public static var busType: ValueType { .dictionary(Key.busType, Value.busType) }

  @_specialize(where Key == String, Value == DBus.Value)
  public static func read(from reader: inout ArgumentReader) throws(BusError) -> [Key: Value] {
    var entries = reader.enter()
    var result: [Key: Value] = [:]
    while !entries.isAtEnd {
      var entry = entries.enter()
      let key = try Key.read(from: &entry)
      result[key] = try Value.read(from: &entry)
    }
    return result
  }

  /// Writes the entries in the order of the keys, so that equal dictionaries make equal messages.
  @_specialize(where Key == String, Value == DBus.Value)
  public func write(to writer: inout WireWriter) throws(BusError) {
    try writer.addArray(alignment: 8, nesting: isEmpty ? 0 : 2) { (writer) throws(BusError) in
      if count < 2 {
        for (key, value) in self { try writer.addEntry(key, value) }
      } else {
        for (key, value) in sorted(by: { $0.key < $1.key }) { try writer.addEntry(key, value) }
      }
    }
  }

  public static func unpack(_ value: DBus.Value) -> [Key: Value]? {
    guard case .dictionary(let dictionary) = value, dictionary.keyType == Key.busType,
      dictionary.valueType == Value.busType
    else { return nil }
    var result: [Key: Value] = [:]
    result.reserveCapacity(dictionary.entries.count)
    for entry in dictionary.entries {
      guard let key = Key.unpack(entry.key), let value = Value.unpack(entry.value.openedOnce(for: Value.busType))
      else { return nil }
      result[key] = value
    }
    return result
  }

  public var busValue: DBus.Value {
    let entries = sorted { $0.key < $1.key }.map { key, value in
      DictionaryValue.Entry(key: key.busValue, value: value.packed)
    }
    return .dictionary(DictionaryValue(keyType: Key.busType, valueType: Value.busType, entries: entries))
  }
}

/// A structure of two fields: `(…)`.
public struct Pair<First: BusType, Second: BusType>: BusType {
  /// The first field.
  public var first: First
  /// The second field.
  public var second: Second

  /// Creates a structure.
  public init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  public static var busType: ValueType { .structure([First.busType, Second.busType]) }

  public static func read(from reader: inout ArgumentReader) throws(BusError) -> Pair {
    var inside = reader.enter()
    let first = try First.read(from: &inside)
    return Pair(first, try Second.read(from: &inside))
  }

  public func write(to writer: inout WireWriter) throws(BusError) {
    try writer.addStructure { (writer) throws(BusError) in
      try first.write(to: &writer)
      try second.write(to: &writer)
    }
  }

  public static func unpack(_ value: Value) -> Pair? {
    guard case .structure(let fields) = value, fields.count == 2,
      let first = First.unpack(fields[0].openedOnce(for: First.busType)),
      let second = Second.unpack(fields[1].openedOnce(for: Second.busType))
    else { return nil }
    return Pair(first, second)
  }

  public var busValue: Value { .structure([first.packed, second.packed]) }
}

/// Any value, as a variant: what is read and written is the value inside of it.
extension Value: BusType {
  public static var busType: ValueType { .variant }

  public static func read(from reader: inout ArgumentReader) throws(BusError) -> Value {
    var inside = reader.enter()
    return try inside.value()
  }

  public func write(to writer: inout WireWriter) throws(BusError) { try writer.addVariant(self) }
  public static func unpack(_ value: Value) -> Value? { value }
  public var busValue: Value { self }
}

extension Value {
  /// The value inside of the variant if `type` is that of variants.
  fileprivate func openedOnce(for type: ValueType) -> Value {
    if type == .variant, case .variant(let inner) = self { inner } else { self }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// One value of the bus; any type, nested as deep as the bus allows.
public enum Value: Hashable, Sendable {
  /// `y`
  case byte(UInt8)
  /// `b`
  case boolean(Bool)
  /// `n`
  case int16(Int16)
  /// `q`
  case uint16(UInt16)
  /// `i`
  case int32(Int32)
  /// `u`
  case uint32(UInt32)
  /// `x`
  case int64(Int64)
  /// `t`
  case uint64(UInt64)
  /// `d`
  case double(Double)
  /// `s`; must not contain NUL, which is checked before sending.
  case string(String)
  /// `o`
  case objectPath(ObjectPath)
  /// `g`
  case signature(Signature)
  /// `h`
  case unixFD(UnixFD)
  /// `v`: a value with its type.
  indirect case variant(Value)
  /// `ay`, always in this form.
  case bytes([UInt8])
  /// `a…`; the type of the elements is needed if there are none.
  case array(of: ValueType, [Value])
  /// `(…)`, with at least one field.
  case structure([Value])
  /// `a{…}`, in wire order.
  case dictionary(DictionaryValue)

  /// The type on the wire.
  public var type: ValueType {
    switch self {
    case .byte: .byte
    case .boolean: .boolean
    case .int16: .int16
    case .uint16: .uint16
    case .int32: .int32
    case .uint32: .uint32
    case .int64: .int64
    case .uint64: .uint64
    case .double: .double
    case .string: .string
    case .objectPath: .objectPath
    case .signature: .signature
    case .unixFD: .unixFD
    case .variant: .variant
    case .bytes: .array(.byte)
    case .array(let element, _): .array(element)
    case .structure(let fields): .structure(fields.map(\.type))
    case .dictionary(let dictionary): .dictionary(dictionary.keyType, dictionary.valueType)
    }
  }

  /// Creates an `a{sv}` in the order of the keys, so that equal dictionaries make equal messages.
  public static func properties(_ properties: [String: Value]) -> Value {
    .dictionary(
      DictionaryValue(
        keyType: .string, valueType: .variant,
        entries: properties.sorted { $0.key < $1.key }.map { .init(key: .string($0.key), value: .variant($0.value)) }))
  }

  /// `as`
  public static func strings(_ strings: some Sequence<String>) -> Value {
    .array(of: .string, strings.map { .string($0) })
  }
}

/// A dictionary of the bus: entries in wire order, all with the same key and value types.
public struct DictionaryValue: Hashable, Sendable {
  /// One key and its value.
  public struct Entry: Hashable, Sendable {
    /// The key, of the dictionary's key type.
    public var key: Value
    /// The value, of the dictionary's value type.
    public var value: Value

    /// Creates an entry.
    public init(key: Value, value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// A basic type.
  public var keyType: ValueType
  /// Any type.
  public var valueType: ValueType
  /// The entries; duplicate keys are valid on the wire.
  public var entries: [Entry]

  /// Creates a dictionary.
  public init(keyType: ValueType, valueType: ValueType, entries: [Entry]) {
    self.keyType = keyType
    self.valueType = valueType
    self.entries = entries
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
  /// `s`
  public init(stringLiteral text: String) { self = .string(text) }
  /// `b`
  public init(booleanLiteral flag: Bool) { self = .boolean(flag) }
}

// SPDX-License-Identifier: Apache-2.0

/// The type of one complete value on the bus.
public enum ValueType: Hashable, Sendable {
  /// `y`
  case byte
  /// `b`
  case boolean
  /// `n`
  case int16
  /// `q`
  case uint16
  /// `i`
  case int32
  /// `u`
  case uint32
  /// `x`
  case int64
  /// `t`
  case uint64
  /// `d`
  case double
  /// `s`
  case string
  /// `o`
  case objectPath
  /// `g`
  case signature
  /// `h`
  case unixFD
  /// `v`
  case variant
  /// `a` and the type of its elements
  indirect case array(ValueType)
  /// `(`…`)`
  indirect case structure([ValueType])
  /// `a{`key value`}`
  indirect case dictionary(ValueType, ValueType)

  /// The type's code in a signature.
  public var code: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .unixFD: "h"
    case .variant: "v"
    case .array(let element): "a" + element.code
    case .structure(let fields): "(" + fields.map(\.code).joined() + ")"
    case .dictionary(let key, let value): "a{" + key.code + value.code + "}"
    }
  }

  /// Whether the type can be the key of a dictionary.
  public var isBasic: Bool {
    switch self {
    case .variant, .array, .structure, .dictionary: false
    default: true
    }
  }

  /// The alignment of the encoded value's first byte.
  var alignment: Int {
    switch self {
    case .byte, .signature, .variant: 1
    case .int16, .uint16: 2
    case .boolean, .int32, .uint32, .string, .objectPath, .unixFD, .array, .dictionary: 4
    case .int64, .uint64, .double, .structure: 8
    }
  }

  /// `a{sv}`, the usual type of extensible interfaces.
  public static let properties = ValueType.dictionary(.string, .variant)
}

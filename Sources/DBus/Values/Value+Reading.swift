// SPDX-License-Identifier: Apache-2.0

extension Value {
  /// The text of an `s`.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The flag of a `b`.
  public var boolean: Bool? {
    if case .boolean(let flag) = self { flag } else { nil }
  }

  /// The number of a `u`.
  public var uint32: UInt32? {
    if case .uint32(let number) = self { number } else { nil }
  }

  /// The number of any integer type.
  ///
  /// For hints: clients send `urgency` as `y`, `i` or `u`, depending on their binding (KNotifications: `i`).
  public var integer: Int64? {
    switch self {
    case .byte(let number): Int64(number)
    case .int16(let number): Int64(number)
    case .uint16(let number): Int64(number)
    case .int32(let number): Int64(number)
    case .uint32(let number): Int64(number)
    case .int64(let number): number
    case .uint64(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// The texts of an `as`.
  public var strings: [String]? {
    guard case .array(of: .string, let values) = self else { return nil }
    return values.compactMap(\.string)
  }

  /// The elements of an array of any type but `ay`.
  public var elements: [Value]? {
    if case .array(_, let elements) = self { elements } else { nil }
  }

  /// The entries of an `a{sv}` with their variants unwrapped; if a key occurs twice, the last counts.
  public var properties: [String: Value]? {
    guard case .dictionary(let dictionary) = self, dictionary.keyType == .string, dictionary.valueType == .variant
    else { return nil }
    var properties: [String: Value] = [:]
    properties.reserveCapacity(dictionary.entries.count)
    for entry in dictionary.entries {
      guard case .string(let key) = entry.key, case .variant(let value) = entry.value else { return nil }
      properties[key] = value
    }
    return properties
  }
}

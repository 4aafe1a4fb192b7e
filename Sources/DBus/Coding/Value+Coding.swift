// SPDX-License-Identifier: Apache-2.0

extension Value {
  /// The value inside all variants.
  var opened: Value {
    guard case .variant(var inner) = self else { return self }
    while case .variant(let next) = inner { inner = next }
    return inner
  }

  /// The value inside one variant, which an `a{sv}` or an `av` has around each of its values.
  var openedOnce: Value {
    if case .variant(let inner) = self { inner } else { self }
  }

  /// Creates an array: of the elements' type if they share a basic one, or `aa{sv}`, or `ay`; otherwise `av`.
  ///
  /// An empty array is `av`, too; it decodes into an array of any type.
  public static func array(joining values: [Value]) -> Value {
    guard let first = values.first else { return .array(of: .variant, []) }
    if case .byte = first {
      let bytes = values.compactMap { UInt8.readByte($0) }
      if bytes.count == values.count { return .bytes(bytes) }
    } else if first.isProperties {
      if values.allSatisfy(\.isProperties) { return .array(of: .properties, values) }
    } else {
      let type = first.type
      if type.isBasic, values.allSatisfy({ $0.type == type }) { return .array(of: type, values) }
    }
    return .array(of: .variant, values.map { .variant($0) })
  }

  /// Whether it is an `a{sv}`.
  private var isProperties: Bool {
    if case .dictionary(let dictionary) = self {
      dictionary.keyType == .string && dictionary.valueType == .variant
    } else {
      false
    }
  }

  /// The key of a dictionary for Swift's keyed containers; nil for keys without an exact text.
  var keyText: String? {
    switch self {
    case .string(let text): text
    case .objectPath(let path): path.text
    case .signature(let signature): signature.text
    case .boolean(let flag): "\(flag)"
    default: integerText
    }
  }

  /// The number of any integer type, as decimal text.
  var integerText: String? {
    if case .uint64(let number) = self { "\(number)" } else { integer.map { "\($0)" } }
  }
}

extension UInt8 {
  /// The number of a `y` only, for arrays of bytes.
  fileprivate static func readByte(_ value: Value) -> UInt8? {
    if case .byte(let byte) = value { byte } else { nil }
  }
}

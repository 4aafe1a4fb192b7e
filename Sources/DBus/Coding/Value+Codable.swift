// SPDX-License-Identifier: Apache-2.0

/// ``ValueEncoder`` and ``ValueDecoder`` keep a value as it is. Other coders get natural types: text, numbers, flags,
/// objects and arrays; the content of a variant; an array for a structure; an error for a descriptor.
extension Value: Codable {
  /// Decodes from another format: `s`, `b`, `x` (`t` if necessary), `d`, `a{sv}` or an array; a null in an object is
  /// omitted.
  public init(from decoder: any Decoder) throws {
    if let node = decoder as? DecodingNode {
      self = node.value
    } else if let scalar = Value.scalar(from: decoder) {
      self = scalar
    } else if decoder.codingPath.count > deepestCoding {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "nested deeper than \(deepestCoding) containers"))
    } else if let fields = try? decoder.container(keyedBy: NameKey.self) {
      var properties: [String: Value] = [:]
      for key in fields.allKeys where try !fields.decodeNil(forKey: key) {
        properties[key.stringValue] = try fields.decode(Value.self, forKey: key)
      }
      self = .properties(properties)
    } else if var elements = try? decoder.unkeyedContainer() {
      var values: [Value] = []
      while !elements.isAtEnd { values.append(try elements.decode(Value.self)) }
      self = .array(joining: values)
    } else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "cannot be represented on the bus"))
    }
  }

  /// The most frequent types first: other decoders create a long error for every wrong guess.
  private static func scalar(from decoder: any Decoder) -> Value? {
    guard let container = try? decoder.singleValueContainer() else { return nil }
    if let text = try? container.decode(String.self) { return .string(text) }
    if let flag = try? container.decode(Bool.self) { return .boolean(flag) }
    if let number = try? container.decode(Int64.self) { return .int64(number) }
    if let number = try? container.decode(UInt64.self) { return .uint64(number) }
    if let number = try? container.decode(Double.self) { return .double(number) }
    return nil
  }

  /// Encodes to another format, which loses the type of a number.
  public func encode(to encoder: any Encoder) throws {
    if let node = encoder as? EncodingNode {
      node.set(self)
      return
    }
    let value = opened
    switch value {
    case .array(_, let values), .structure(let values):
      try checkDepth(encoder)
      var elements = encoder.unkeyedContainer()
      for value in values { try elements.encode(value) }
    case .dictionary(let dictionary):
      try checkDepth(encoder)
      var fields = encoder.container(keyedBy: NameKey.self)
      for entry in dictionary.entries {
        guard let name = entry.key.keyText else { throw notNatural(entry.key, encoder) }
        try fields.encode(entry.value, forKey: NameKey(name))
      }
    default:
      try value.encodeLeaf(to: encoder)
    }
  }

  private func encodeLeaf(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .byte(let number): try container.encode(number)
    case .boolean(let flag): try container.encode(flag)
    case .int16(let number): try container.encode(number)
    case .uint16(let number): try container.encode(number)
    case .int32(let number): try container.encode(number)
    case .uint32(let number): try container.encode(number)
    case .int64(let number): try container.encode(number)
    case .uint64(let number): try container.encode(number)
    case .double(let number): try container.encode(number)
    case .string(let text): try container.encode(text)
    case .objectPath(let path): try container.encode(path.text)
    case .signature(let signature): try container.encode(signature.text)
    case .bytes(let bytes): try container.encode(bytes)
    case .unixFD, .variant, .array, .structure, .dictionary: throw notNatural(self, encoder)
    }
  }

  private func notNatural(_ value: Value, _ encoder: any Encoder) -> EncodingError {
    EncodingError(value, encoder.codingPath, "a value of type \(value.type.code) has no meaning outside the bus")
  }

  private func checkDepth(_ encoder: any Encoder) throws {
    guard encoder.codingPath.count <= deepestCoding else {
      throw EncodingError(self, encoder.codingPath, "nested deeper than \(deepestCoding) containers")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Reads the fields of a node.
struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let node: DecodingNode

  var codingPath: [any CodingKey] { node.codingPath }

  var allKeys: [Key] {
    let names = node.names
    var keys: [Key] = []
    keys.reserveCapacity(names.count)
    for name in names { if let key = Key(stringValue: name) { keys.append(key) } }
    return keys
  }

  func contains(_ key: Key) -> Bool { node.field(named: key.stringValue) != nil }

  /// The bus has no null.
  func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

  // Inlined, because the compiler does not specialise functions that are generic in the key.
  @inline(__always)
  func decode<S: Scalar>(_ type: S.Type, forKey key: Key) throws -> S {
    try node.read(type, from: value(key), at: key)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try node.decode(type, from: value(key), at: key)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try node.field(named: key.stringValue).map { try node.decode(type, from: $0, at: key) }
  }

  func nestedContainer<Nested>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try child(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try child(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try child(SuperKey.super) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try child(key) }

  private func child(_ key: some CodingKey) throws -> DecodingNode {
    try DecodingNode(value(key), in: node, at: key)
  }

  private func value(_ key: some CodingKey) throws -> Value {
    if let value = node.field(named: key.stringValue) { return value }
    throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing"))
  }
}

/// One overload per type: the standard library's own look the key up three times and take precedence over a generic
/// one.
extension KeyedReader {
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try optional(key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try optional(key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try optional(key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optional(key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optional(key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optional(key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try optional(key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try optional(key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try optional(key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try optional(key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try optional(key) }

  @inline(__always)
  private func optional<S: Scalar>(_ key: Key) throws -> S? {
    guard let value = node.field(named: key.stringValue) else { return nil }
    return try node.read(S.self, from: value, at: key)
  }
}

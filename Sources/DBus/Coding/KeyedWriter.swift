// SPDX-License-Identifier: Apache-2.0

/// Writes the fields of a node.
struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodingNode

  var codingPath: [any CodingKey] { node.codingPath }

  /// A nil is omitted.
  func encodeNil(forKey key: Key) {}

  // Inlined, because the compiler does not specialise functions that are generic in the key.
  @inline(__always)
  func encode<S: Scalar>(_ value: S, forKey key: Key) { node.add(value.value, for: key.stringValue) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    if let value = try node.encode(value, at: key) { node.add(value, for: key.stringValue) }
  }

  func nestedContainer<Nested>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
    node.addNode(at: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    node.addNode(at: key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { node.addNode(at: SuperKey.super) }

  func superEncoder(forKey key: Key) -> any Encoder { node.addNode(at: key) }
}

// SPDX-License-Identifier: Apache-2.0

/// Writes the elements of a node.
struct UnkeyedWriter: UnkeyedEncodingContainer {
  let node: EncodingNode

  var codingPath: [any CodingKey] { node.codingPath }

  var count: Int { node.count }

  func encodeNil() throws { throw node.nullElement(at: count) }

  func encode<S: Scalar>(_ value: S) { node.append(value.value) }

  func encode<T: Encodable>(_ value: T) throws {
    guard let value = try node.encode(value, at: IndexKey(count)) else { throw node.nullElement(at: count) }
    node.append(value)
  }

  func nestedContainer<Nested>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    node.appendNode().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { node.appendNode().unkeyedContainer() }

  func superEncoder() -> any Encoder { node.appendNode() }
}

// SPDX-License-Identifier: Apache-2.0

/// Reads the elements of a node in order.
struct UnkeyedReader: UnkeyedDecodingContainer {
  enum Elements {
    case values([Value])
    case bytes([UInt8])
  }

  let node: DecodingNode
  let elements: Elements
  private(set) var currentIndex = 0

  init(node: DecodingNode, elements: Elements) {
    self.node = node
    self.elements = elements
  }

  var codingPath: [any CodingKey] { node.codingPath }

  /// Never nil.
  var count: Int? { length }

  var isAtEnd: Bool { currentIndex >= length }

  private var length: Int {
    switch elements {
    case .values(let values): values.count
    case .bytes(let bytes): bytes.count
    }
  }

  /// The bus has no null.
  func decodeNil() throws -> Bool {
    _ = try next(Never?.self)
    return false
  }

  mutating func decode<S: Scalar>(_ type: S.Type) throws -> S {
    try advancing(type) { try $0.read(type, from: $1, at: $2) }
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try advancing(type) { try $0.decode(type, from: $1, at: $2) }
  }

  mutating func nestedContainer<Nested>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    try advancing([String: Value].self) { try DecodingNode($1, in: $0, at: $2).container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try advancing([Value].self) { try DecodingNode($1, in: $0, at: $2).unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder {
    try advancing(Value.self) { try DecodingNode($1, in: $0, at: $2) }
  }

  /// An element that cannot be read remains the next one.
  @inline(__always)
  private mutating func advancing<R>(
    _ type: Any.Type, _ body: (DecodingNode, Value, IndexKey) throws -> R
  ) throws -> R {
    let result = try body(node, try next(type), IndexKey(currentIndex))
    currentIndex += 1
    return result
  }

  private func next(_ type: Any.Type) throws -> Value {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath + [IndexKey(currentIndex)], debugDescription: "the array ends here"))
    }
    return switch elements {
    case .values(let values): values[currentIndex].openedOnce
    case .bytes(let bytes): .byte(bytes[currentIndex])
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The fields of a dictionary, ready to be looked up by name; each is the value behind the variant of an `a{sv}`.
enum Fields {
  /// In the order of the wire: few enough that comparing is quicker than hashing.
  case few([DictionaryValue.Entry])
  case named([String: Value])

  private static let fewest = 16

  /// Nil where a key has no text.
  init?(_ dictionary: DictionaryValue) {
    if dictionary.keyType == .string, dictionary.entries.count <= Self.fewest {
      self = .few(dictionary.entries)
      return
    }
    var named: [String: Value] = [:]
    named.reserveCapacity(dictionary.entries.count)
    for entry in dictionary.entries {
      guard let name = entry.key.keyText else { return nil }
      named[name] = entry.value.openedOnce
    }
    self = .named(named)
  }

  /// Of a name that comes twice the last counts.
  func value(named name: String) -> Value? {
    switch self {
    case .named(let values): return values[name]
    case .few(let entries):
      for entry in entries.reversed() {
        if case .string(let key) = entry.key, key == name { return entry.value.openedOnce }
      }
      return nil
    }
  }

  var names: [String] {
    switch self {
    case .named(let values): return Array(values.keys)
    case .few(let entries):
      var names: [String] = []
      for case .string(let name) in entries.lazy.map(\.key) where !names.contains(name) { names.append(name) }
      return names
    }
  }
}

/// Reads the fields of a node.
struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let node: DecodingNode
  let fields: Fields

  var codingPath: [any CodingKey] { node.codingPath }

  var allKeys: [Key] { fields.names.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { fields.value(named: key.stringValue) != nil }

  /// The bus has no null.
  func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

  func decode<S: Scalar>(_ type: S.Type, forKey key: Key) throws -> S {
    try node.read(type, from: value(key), at: key)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try node.decode(type, from: value(key), at: key)
  }

  func decodeIfPresent<S: Scalar>(_ type: S.Type, forKey key: Key) throws -> S? {
    try fields.value(named: key.stringValue).map { try node.read(type, from: $0, at: key) }
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try fields.value(named: key.stringValue).map { try node.decode(type, from: $0, at: key) }
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
    if let value = fields.value(named: key.stringValue) { return value }
    throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing"))
  }
}

/// Reads the elements of a node, one after the other.
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

  /// An element that could not be read stays the next one.
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

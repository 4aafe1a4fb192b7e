// SPDX-License-Identifier: Apache-2.0

extension PlainValue {
  /// Decodes the value, such as a request from a file or the store.
  public func decode<T: Decodable>(as type: T.Type = T.self) throws -> T {
    try T(from: PlainDecoder(value: self, codingPath: []))
  }
}

/// A `Decoder` for plain values.
struct PlainDecoder: Decoder {
  let value: PlainValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The entries, if the value is a dictionary.
  var values: [String: PlainValue]? {
    if case .dictionary(let values) = value { values } else { nil }
  }

  /// Whether a `PlainValue` that is decoded from it may be this value.
  var isWhole: Bool { value.isDecodable(at: codingPath.count) }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .dictionary(let values) = value else { throw mismatch([String: PlainValue].self) }
    return KeyedDecodingContainer(PlainFields(values: values, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let values) = value else { throw mismatch([PlainValue].self) }
    return PlainElements(values: values, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { PlainSingle(decoder: self) }

  fileprivate func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: "the value is of another type"))
  }

  fileprivate func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
    guard case .integer(let integer) = value, let fitting = T(exactly: integer) else { throw mismatch(type) }
    return fitting
  }
}

private struct PlainSingle: SingleValueDecodingContainer {
  let decoder: PlainDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { false }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .flag(let flag) = decoder.value else { throw decoder.mismatch(type) }
    return flag
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .text(let text) = decoder.value else { throw decoder.mismatch(type) }
    return text
  }

  func decode(_ type: Double.Type) throws -> Double {
    switch decoder.value {
    case .number(let number): return number
    case .integer(let integer): return Double(integer)
    default: throw decoder.mismatch(type)
    }
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
  func decode(_ type: Int.Type) throws -> Int { try decoder.integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try decoder.integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try decoder.integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try decoder.integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try decoder.integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try decoder.integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.integer(type) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: decoder) }
}

private struct PlainFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let values: [String: PlainValue]
  let codingPath: [any CodingKey]

  var allKeys: [Key] { values.keys.compactMap(Key.init(stringValue:)) }
  func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }
  func decodeNil(forKey key: Key) -> Bool { false }

  private func decoder(_ key: any CodingKey) throws(DecodingError) -> PlainDecoder {
    guard let value = values[key.stringValue] else {
      throw .keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: "the key is missing"))
    }
    return PlainDecoder(value: value, codingPath: codingPath + [key])
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try T(from: decoder(key)) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { PlainDecoder(value: .dictionary(values), codingPath: codingPath) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct PlainElements: UnkeyedDecodingContainer {
  let values: [PlainValue]
  let codingPath: [any CodingKey]
  var currentIndex = 0

  init(values: [PlainValue], codingPath: [any CodingKey]) {
    self.values = values
    self.codingPath = codingPath
  }

  var count: Int? { values.count }
  var isAtEnd: Bool { currentIndex >= values.count }

  private struct Index: CodingKey {
    let intValue: Int?
    var stringValue: String { "\(intValue ?? 0)" }
    init(_ index: Int) { intValue = index }
    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { nil }
  }

  private mutating func next() throws(DecodingError) -> PlainDecoder {
    let path = codingPath + [Index(currentIndex)]
    guard !isAtEnd else {
      throw .valueNotFound(
        PlainValue.self, DecodingError.Context(codingPath: path, debugDescription: "the list has no more"))
    }
    defer { currentIndex += 1 }
    return PlainDecoder(value: values[currentIndex], codingPath: path)
  }

  func decodeNil() -> Bool { false }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: next()) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
  mutating func superDecoder() throws -> any Decoder { try next() }
}

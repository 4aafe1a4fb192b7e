// SPDX-License-Identifier: Apache-2.0

/// One value with its coding path, from which a type's `init(from:)` reads.
///
/// A class, so that converting it to an `any Decoder` needs no second allocation; basic values in containers are read
/// without a node of their own.
final class DecodingNode: Decoder {
  enum Content {
    case value(Value)
    case properties([String: Value])
  }

  private let content: Content
  /// Cached here and not in the readers, which are copied for each field.
  private var fields = DictionaryFields.none
  private let parent: DecodingNode?
  private let step: (any CodingKey)?
  private let depth: Int
  private let info: [CodingUserInfoKey: any Sendable]

  init(_ content: Content, userInfo: [CodingUserInfoKey: any Sendable]) {
    self.content = content
    parent = nil
    step = nil
    depth = 0
    info = userInfo
  }

  init(_ value: Value, in parent: DecodingNode, at step: (any CodingKey)?) throws {
    content = .value(value)
    self.parent = parent
    self.step = step
    depth = parent.depth + 1
    info = parent.info
    if depth > deepestCoding { throw corrupted("nested deeper than \(deepestCoding) containers") }
  }

  /// The original value, including variants.
  var value: Value {
    switch content {
    case .value(let value): value
    case .properties(let properties): .properties(properties)
    }
  }

  var userInfo: [CodingUserInfoKey: Any] { info }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var node = Optional(self)
    while let here = node {
      if let step = here.step { path.append(step) }
      node = here.parent
    }
    return path.reversed()
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    if case .none = fields { fields = try openFields() }
    return KeyedDecodingContainer(KeyedReader(node: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    UnkeyedReader(node: self, elements: try elements())
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  private func openFields() throws -> DictionaryFields {
    switch content {
    case .properties(let properties): return .named(properties, twins: [])
    case .value(let value):
      let value = value.opened
      if case .dictionary(let dictionary) = value, let fields = DictionaryFields(dictionary) { return fields }
      throw mismatch([String: Value].self, "a dictionary", value)
    }
  }

  private func elements() throws -> UnkeyedReader.Elements {
    let value = value.opened
    switch value {
    case .array(_, let elements), .structure(let elements): return .values(elements)
    case .bytes(let bytes): return .bytes(bytes)
    default: throw mismatch([Value].self, "an array", value)
    }
  }

  // MARK: Reading

  var names: [String] { fields.names }

  func field(named name: String) -> Value? { fields.value(named: name) }

  /// Decodes a basic value at `step`, which is evaluated only for an error.
  @inline(__always)
  func read<S: Scalar>(
    _ type: S.Type, from value: Value, at step: @autoclosure () -> (any CodingKey)?
  ) throws -> S {
    if let scalar = S.read(value) { return scalar }
    let inner = value.opened
    if let scalar = S.read(inner) { return scalar }
    throw misfit(type, inner, at: step())
  }

  /// Decodes any value at `step`.
  func decode<T: Decodable>(
    _ type: T.Type, from value: Value, at step: @autoclosure () -> (any CodingKey)?
  ) throws -> T {
    // Each cast is to the type that was compared just before.
    if T.self == String.self { return try read(String.self, from: value, at: step()) as! T }
    if T.self == Value.self { return value as! T }
    if T.self == Int.self { return try read(Int.self, from: value, at: step()) as! T }
    if T.self == [UInt8].self, case .bytes(let bytes) = value.opened { return bytes as! T }
    return try T(from: DecodingNode(value, in: self, at: step()))
  }

  // MARK: Errors

  func mismatch(_ type: Any.Type, _ expectation: String, _ value: Value) -> DecodingError {
    .typeMismatch(
      type, .init(codingPath: codingPath, debugDescription: "expected \(expectation), got \(value.type.code)"))
  }

  func corrupted(_ problem: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: problem))
  }

  @inline(never)
  private func misfit<S: Scalar>(_ type: S.Type, _ value: Value, at step: (any CodingKey)?) -> DecodingError {
    let path = codingPath + (step.map { [$0] } ?? [])
    if !(type == String.self || type == Bool.self), let number = value.integerText {
      return .dataCorrupted(.init(codingPath: path, debugDescription: "\(number) does not fit \(type)"))
    }
    return .typeMismatch(
      type, .init(codingPath: path, debugDescription: "expected \(type.expectation), got \(value.type.code)"))
  }
}

extension DecodingNode: SingleValueDecodingContainer {
  /// The bus has no null.
  func decodeNil() -> Bool { false }

  func decode<S: Scalar>(_ type: S.Type) throws -> S { try read(type, from: value, at: nil) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if case .properties = content, T.self != Value.self { return try T(from: self) }
    return try decode(type, from: value, at: nil)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// One value under construction, to which a type's `encode(to:)` writes.
///
/// A class, so that its containers can still write to it after its parent has stored it.
final class EncodingNode: Encoder {
  /// The content written so far.
  private enum Content {
    case nothing
    case null
    case value(Value)
    case keyed
    case unkeyed
    /// Two contents that exclude each other; reported by ``finish()``, because requesting a container cannot fail.
    case contradiction
  }

  /// A value at a key or in an array, possibly unfinished.
  private enum Slot {
    case value(Value)
    case node(EncodingNode)

    func finish() throws -> Value? {
      switch self {
      case .value(let value): value
      case .node(let node): try node.finish()
      }
    }
  }

  private var content = Content.nothing
  // Stored beside the content, because an array in an enum's payload is copied at each append.
  private var fields: [(name: String, slot: Slot)] = []
  private var elements: [Slot] = []
  private var hasNodes = false
  private let parent: EncodingNode?
  private let step: (any CodingKey)?
  private let depth: Int
  private let info: [CodingUserInfoKey: any Sendable]

  init(userInfo: [CodingUserInfoKey: any Sendable]) {
    parent = nil
    step = nil
    depth = 0
    info = userInfo
  }

  private init(in parent: EncodingNode, at step: (any CodingKey)?) {
    self.parent = parent
    self.step = step
    depth = parent.depth + 1
    info = parent.info
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

  var count: Int { elements.count }

  // MARK: Writing

  /// Converts `value` to a bus value, nil for a null; the node only provides the coding path.
  func encode<T: Encodable>(_ value: T, at step: (any CodingKey)?) throws -> Value? {
    // Each cast is to the type that was compared just before.
    if T.self == String.self { return .string(value as! String) }
    if T.self == Value.self { return (value as! Value) }
    if T.self == [UInt8].self { return .bytes(value as! [UInt8]) }
    if T.self == [String].self { return .strings(value as! [String]) }
    let child = EncodingNode(in: self, at: step)
    guard child.depth <= deepestCoding else { throw child.tooDeep }
    defer { child.letGo() }
    try value.encode(to: child)
    let result = try child.finish()
    if case .array(of: .variant, let elements) = result, elements.isEmpty, let type = T.self as? any ScalarArray.Type {
      return type.empty
    }
    return result
  }

  func add(_ value: Value, for name: String) { fields.append((name, .value(value))) }

  func append(_ value: Value) { elements.append(.value(value)) }

  /// Returns a node whose value becomes the field's once it is finished.
  func addNode(at key: some CodingKey) -> EncodingNode {
    // The value is refused in the end; until then it must not grow.
    if depth > deepestCoding { return self }
    let child = EncodingNode(in: self, at: key)
    hasNodes = true
    fields.append((key.stringValue, .node(child)))
    return child
  }

  /// Returns a node whose value becomes the next element once it is finished.
  func appendNode() -> EncodingNode {
    if depth > deepestCoding { return self }
    let child = EncodingNode(in: self, at: IndexKey(elements.count))
    hasNodes = true
    elements.append(.node(child))
    return child
  }

  /// Sets the value of the whole node, nil for a null.
  func set(_ value: Value?) {
    guard case .nothing = content else {
      content = .contradiction
      return
    }
    content = value.map { .value($0) } ?? .null
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    switch content {
    case .nothing: content = .keyed
    case .keyed: break  // a second container adds to the first, as with JSON
    default: content = .contradiction
    }
    return KeyedEncodingContainer(KeyedWriter(node: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    switch content {
    case .nothing: content = .unkeyed
    case .unkeyed: break
    default: content = .contradiction
    }
    return UnkeyedWriter(node: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  // MARK: Finishing

  /// Returns the value; nil for a null. A type that wrote nothing has no properties.
  func finish() throws -> Value? {
    // Checked here as well, because a chain of nested containers does not go through encode(_:at:).
    guard depth <= deepestCoding else { throw tooDeep }
    switch content {
    case .nothing: return .properties([:])
    case .null: return nil
    case .value(let value): return value
    case .keyed: return .dictionary(DictionaryValue(keyType: .string, valueType: .variant, entries: try entries()))
    case .unkeyed: return .array(joining: try elements.enumerated().map(element))
    case .contradiction: throw EncodingError(self, codingPath, "encoded as two different things at once")
    }
  }

  /// Returns the properties without converting them to wire order; nil if the value has another type.
  func properties() throws -> [String: Value]? {
    guard case .keyed = content else { return try finish()?.properties }
    var properties: [String: Value] = [:]
    properties.reserveCapacity(fields.count)
    for (name, slot) in fields { properties[name] = try slot.finish() }
    return properties
  }

  /// Discards the content: a node and those nested in it refer to each other.
  func letGo() {
    guard hasNodes else { return }
    for slot in elements + fields.map(\.slot) {
      if case .node(let node) = slot { node.letGo() }
    }
    fields = []
    elements = []
  }

  private func entries() throws -> [DictionaryValue.Entry] {
    var entries: [DictionaryValue.Entry] = []
    entries.reserveCapacity(fields.count)
    fields.sort { $0.name < $1.name }
    for (place, field) in fields.enumerated() {
      // The sort is stable: if a key was written twice, the last value counts.
      if place + 1 < fields.count, fields[place + 1].name == field.name { continue }
      guard let value = try field.slot.finish() else { continue }
      entries.append(.init(key: .string(field.name), value: .variant(value)))
    }
    return entries
  }

  private func element(_ place: Int, _ slot: Slot) throws -> Value {
    guard let value = try slot.finish() else { throw nullElement(at: place) }
    return value
  }

  func nullElement(at place: Int) -> EncodingError {
    EncodingError(self, codingPath + [IndexKey(place)], "the bus has no null, and an array no gaps")
  }

  private var tooDeep: EncodingError {
    EncodingError(self, codingPath, "nested deeper than \(deepestCoding) containers")
  }
}

extension EncodingNode: SingleValueEncodingContainer {
  func encodeNil() { set(nil) }

  func encode<S: Scalar>(_ value: S) { set(value.value) }

  func encode<T: Encodable>(_ value: T) throws { set(try encode(value, at: nil)) }
}

// SPDX-License-Identifier: Apache-2.0

/// An `a{sv}` as it came, for `Codable` types: it keeps the order of the keys and all of them, also those that a Swift
/// dictionary merges because they are equal in Unicode.
public struct Properties: BusType, Hashable {
  /// A key with its value.
  public struct Entry: Hashable, Sendable {
    /// The key.
    public let key: String
    /// What the variant holds: a variant for each value would be an allocation for each.
    public let value: Value
  }

  /// The entries in their order.
  public let entries: [Entry]

  private init(_ entries: [Entry]) { self.entries = entries }

  /// Creates properties in the order of the keys.
  public init(_ properties: [String: Value] = [:]) {
    self.init(properties.sorted { $0.key < $1.key }.map { Entry(key: $0.key, value: $0.value) })
  }

  /// Encodes a value, which must be an `a{sv}`: see ``ValueEncoder``.
  public init(encoding value: some Encodable) throws(EncodingError) {
    self.init(try ValueEncoder().encodeProperties(value))
  }

  /// Decodes a `T`: see ``ValueDecoder``.
  public func decode<T: Decodable>(_ type: T.Type) throws(DecodingError) -> T {
    try ValueDecoder().decode(type, from: busValue)
  }

  /// The values by key; if a key occurs twice, the last counts.
  public var values: [String: Value] {
    Dictionary(entries.lazy.map { ($0.key, $0.value) }) { _, last in last }
  }

  /// Whether there is a value for the key.
  public func has(_ key: String) -> Bool { entries.contains { $0.key == key } }

  /// The value of a key.
  public subscript(key: String) -> Value? { entries.last { $0.key == key }?.value }

  /// `a{sv}`
  public static var busType: ValueType { .properties }

  /// Reads the entries in their order.
  public static func read(from reader: inout ArgumentReader) throws(BusError) -> Properties {
    var inside = reader.enter()
    var entries: [Entry] = []
    // Most have a few entries; growing for each would take longer than reading them. Sixty million bytes of empty ones
    // reserve nothing.
    if !inside.isAtEnd { entries.reserveCapacity(8) }
    while !inside.isAtEnd {
      var entry = inside.enter()
      let key = entry.text()
      entries.append(Entry(key: key, value: try Value.read(from: &entry)))
    }
    return Properties(entries)
  }

  /// Writes the entries in their order.
  public func write(to writer: inout WireWriter) throws(BusError) {
    try writer.addArray(alignment: 8, nesting: entries.isEmpty ? 0 : 2) { (writer) throws(BusError) in
      for entry in entries { try writer.addEntry(entry.key, entry.value) }
    }
  }

  /// Returns nil for values other than an `a{sv}`.
  public static func unpack(_ value: Value) -> Properties? {
    guard case .dictionary(let dictionary) = value, dictionary.keyType == .string, dictionary.valueType == .variant
    else { return nil }
    var entries: [Entry] = []
    for entry in dictionary.entries {
      guard case .string(let key) = entry.key else { return nil }
      entries.append(Entry(key: key, value: entry.value.openedOnce))
    }
    return Properties(entries)
  }

  /// The dictionary.
  public var busValue: Value {
    .dictionary(
      DictionaryValue(
        keyType: .string, valueType: .variant,
        entries: entries.map { .init(key: .string($0.key), value: .variant($0.value)) }))
  }
}

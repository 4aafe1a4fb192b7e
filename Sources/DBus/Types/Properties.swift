// SPDX-License-Identifier: Apache-2.0

/// An `a{sv}` as it came, for `Codable` types: it keeps the order of the keys and all of them, also those that a Swift
/// dictionary merges because they are equal in Unicode.
public struct Properties: BusType, Hashable {
  /// The entries.
  public let dictionary: DictionaryValue

  private init(_ dictionary: DictionaryValue) { self.dictionary = dictionary }

  /// Creates properties in the order of the keys.
  public init(_ properties: [String: Value] = [:]) {
    dictionary = DictionaryValue(
      keyType: .string, valueType: .variant,
      entries: properties.sorted { $0.key < $1.key }.map { .init(key: .string($0.key), value: .variant($0.value)) })
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
  public var values: [String: Value] { busValue.properties ?? [:] }

  /// Whether there is a value for the key.
  public func has(_ key: String) -> Bool { dictionary.entries.contains { $0.key == .string(key) } }

  /// The value of a key.
  public subscript(key: String) -> Value? {
    guard let entry = dictionary.entries.last(where: { $0.key == .string(key) }) else { return nil }
    return entry.value.openedOnce
  }

  /// `a{sv}`
  public static var busType: ValueType { .properties }

  /// Reads the entries in their order.
  public static func read(from reader: inout ArgumentReader) throws(BusError) -> Properties {
    let dictionary = try MessageReader.dictionary(&reader.iterator)
    reader.skip()
    return Properties(dictionary)
  }

  /// Writes the entries in their order.
  public func write(to writer: inout WireWriter) throws(BusError) { try writer.addDictionary(dictionary) }

  /// Returns nil for values other than an `a{sv}`.
  public static func unpack(_ value: Value) -> Properties? {
    guard case .dictionary(let dictionary) = value, dictionary.keyType == .string, dictionary.valueType == .variant
    else { return nil }
    return Properties(dictionary)
  }

  /// The dictionary.
  public var busValue: Value { .dictionary(dictionary) }
}

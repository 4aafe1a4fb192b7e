// SPDX-License-Identifier: Apache-2.0

/// The types of a message's arguments in sequence: `susssasa{sv}i`.
public struct Signature: CheckedName {
  /// The signature as text.
  public let text: String

  /// Creates a signature from checked text.
  public init(unchecked text: String) { self.text = text }

  /// Creates a signature of these types, which must nest no deeper than the bus allows; ``Value`` guarantees this.
  public init(_ types: [ValueType]) {
    text = types.map(\.code).joined()
  }

  /// The rules of [signatures](https://dbus.freedesktop.org/doc/dbus-specification.html#type-system).
  public static func isValid(_ text: String) -> Bool { parse(text) != nil }

  /// The complete types, in order.
  public var types: [ValueType] { Self.parse(text) ?? [] }

  /// The type, if the signature has exactly one.
  public var singleType: ValueType? {
    let types = types
    return types.count == 1 ? types[0] : nil
  }

  /// The maximum number of consecutive array codes, of open parentheses, and of open braces.
  ///
  /// libdbus counts in this way, and so does every bus based on it, which is slightly more permissive than the
  /// specification.
  static let deepestNesting = 32

  private static func parse(_ text: String) -> [ValueType]? {
    guard text.utf8.count <= longestName else { return nil }
    var parser = Parser(rest: text.utf8[...])
    var types: [ValueType] = []
    while !parser.rest.isEmpty {
      guard let type = parser.next(Depth()) else { return nil }
      types.append(type)
    }
    return types
  }

  private struct Depth {
    var arrays = 0
    var structures = 0
    var entries = 0

    var isAllowed: Bool { max(arrays, structures, entries) <= Signature.deepestNesting }

    /// Inside one more array, whether or not it is the first since the last bracket.
    var inArray: Depth { Depth(arrays: arrays + 1, structures: structures, entries: entries) }
    var inStructure: Depth { Depth(arrays: 0, structures: structures + 1, entries: entries) }
    var inEntry: Depth { Depth(arrays: 0, structures: structures, entries: entries + 1) }
  }

  /// Recurses at most as deep as the text is long.
  private struct Parser {
    var rest: Substring.UTF8View

    mutating func next(_ depth: Depth) -> ValueType? {
      guard depth.isAllowed, let code = rest.popFirst() else { return nil }
      switch code {
      case UInt8(ascii: "a"):
        guard depth.inArray.isAllowed else { return nil }
        if rest.first == UInt8(ascii: "{") { return entry(depth.inEntry) }
        return next(depth.inArray).map { .array($0) }
      case UInt8(ascii: "("):
        return fields(depth.inStructure)
      default:
        return Signature.simpleTypes[code]
      }
    }

    private mutating func entry(_ depth: Depth) -> ValueType? {
      rest.removeFirst()
      guard let key = next(depth), key.isBasic, let value = next(depth), rest.popFirst() == UInt8(ascii: "}")
      else { return nil }
      return .dictionary(key, value)
    }

    private mutating func fields(_ depth: Depth) -> ValueType? {
      var fields: [ValueType] = []
      while let first = rest.first {
        if first == UInt8(ascii: ")") {
          rest.removeFirst()
          return fields.isEmpty ? nil : .structure(fields)
        }
        guard let field = next(depth) else { return nil }
        fields.append(field)
      }
      return nil
    }
  }

  private static let simpleTypes: [UInt8: ValueType] = {
    let types: [ValueType] = [
      .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
      .unixFD, .variant,
    ]
    return Dictionary(uniqueKeysWithValues: types.map { ($0.code.utf8.first!, $0) })  // every code has a letter
  }()
}

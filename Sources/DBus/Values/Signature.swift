// SPDX-License-Identifier: Apache-2.0

/// The types of a message's arguments, one behind the other: `susssasa{sv}i`.
public struct Signature: CheckedName {
  /// The signature as text.
  public let text: String

  /// For text that was checked before.
  public init(unchecked text: String) { self.text = text }

  /// The signature of these types; they must nest no deeper than the bus allows, as ``Value`` sees to.
  public init(_ types: [ValueType]) {
    text = types.map(\.code).joined()
  }

  /// The rules of [signatures](https://dbus.freedesktop.org/doc/dbus-specification.html#type-system).
  public static func isValid(_ text: String) -> Bool { parse(text) != nil }

  /// The complete types, in order.
  public var types: [ValueType] { Self.parse(text) ?? [] }

  /// The type, where the signature is exactly one.
  public var singleType: ValueType? {
    let types = types
    return types.count == 1 ? types[0] : nil
  }

  /// The deepest nesting of arrays, and of structures, that the specification allows.
  static let deepestNesting = 32

  private static func parse(_ text: String) -> [ValueType]? {
    guard text.utf8.count <= longestName else { return nil }
    var parser = Parser(rest: text.utf8[...])
    var types: [ValueType] = []
    while !parser.rest.isEmpty {
      guard let type = parser.next(arrays: 0, structures: 0) else { return nil }
      types.append(type)
    }
    return types
  }

  private struct Parser {
    var rest: Substring.UTF8View

    mutating func next(arrays: Int, structures: Int) -> ValueType? {
      guard let code = rest.popFirst() else { return nil }
      switch code {
      case UInt8(ascii: "a"):
        guard arrays < Signature.deepestNesting else { return nil }
        if rest.first == UInt8(ascii: "{") { return entry(arrays: arrays + 1, structures: structures) }
        return next(arrays: arrays + 1, structures: structures).map { .array($0) }
      case UInt8(ascii: "("):
        guard structures < Signature.deepestNesting else { return nil }
        return fields(arrays: arrays, structures: structures + 1)
      default:
        return Signature.simpleTypes[code]
      }
    }

    private mutating func entry(arrays: Int, structures: Int) -> ValueType? {
      rest.removeFirst()
      // A dictionary entry counts as a structure for the depth.
      guard structures < Signature.deepestNesting,
        let key = next(arrays: arrays, structures: structures + 1), key.isBasic,
        let value = next(arrays: arrays, structures: structures + 1),
        rest.popFirst() == UInt8(ascii: "}")
      else { return nil }
      return .dictionary(key, value)
    }

    private mutating func fields(arrays: Int, structures: Int) -> ValueType? {
      var fields: [ValueType] = []
      while let first = rest.first {
        if first == UInt8(ascii: ")") {
          rest.removeFirst()
          return fields.isEmpty ? nil : .structure(fields)
        }
        guard let field = next(arrays: arrays, structures: structures) else { return nil }
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

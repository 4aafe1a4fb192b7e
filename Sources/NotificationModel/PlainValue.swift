// SPDX-License-Identifier: Apache-2.0

/// A value that JSON, a property list and the bus can all represent, such as the content of `userInfo`.
public enum PlainValue: Hashable, Sendable, Codable {
  /// A text.
  case text(String)
  /// A flag.
  case flag(Bool)
  /// An integer.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// An array.
  case list([PlainValue])
  /// A dictionary.
  case dictionary([String: PlainValue])

  /// The maximum nesting of lists and dictionaries in a request, including the request itself.
  public static let deepestNesting = 8

  /// Decodes any supported value.
  public init(from decoder: any Decoder) throws {
    // It is one already, as in each row of the store. Reading it anew would take hundreds of calls; an invalid one is,
    // for the error.
    if type(of: decoder) == PlainDecoder.self, let plain = decoder as? PlainDecoder, plain.isWhole {
      self = plain.value
      return
    }
    let container = try decoder.singleValueContainer()
    // Flags before numbers: a property list's decoder accepts `true` as 1, too.
    if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if let number = try? container.decode(Double.self) {
      guard number.isFinite else {
        throw RequestError(decoder.codingPath.keyPath, "must be a finite number")
      }
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let integer = try? container.decode(UInt64.self) {
      throw RequestError(decoder.codingPath.keyPath, "must be at most \(Int64.max), not \(integer)")
    } else if var values = try? decoder.unkeyedContainer() {
      self = .list(try Self.read(&values))
    } else if let values = try? decoder.container(keyedBy: RequestDecoder.Key.self) {
      self = .dictionary(try Self.read(values))
    } else {
      throw RequestError(
        decoder.codingPath.keyPath, "must be a string, a number, true or false, a list or a dictionary")
    }
  }

  private static func read(_ list: inout any UnkeyedDecodingContainer) throws -> [PlainValue] {
    try checkDepth(list.codingPath)
    var values: [PlainValue] = []
    while !list.isAtEnd { values.append(try list.decode(PlainValue.self)) }
    return values
  }

  private static func read(_ dictionary: KeyedDecodingContainer<RequestDecoder.Key>) throws -> [String: PlainValue] {
    try checkDepth(dictionary.codingPath)
    let keys = dictionary.allKeys
    var values = [String: PlainValue](minimumCapacity: keys.count)
    for key in keys {
      guard values.updateValue(try dictionary.decode(PlainValue.self, forKey: key), forKey: key.stringValue) == nil
      else {
        // Only one of them could be stored.
        throw RequestError(
          dictionary.codingPath.keyPath, "has the key \(key.stringValue.quoted) twice, in two forms of Unicode; use one"
        )
      }
    }
    return values
  }

  /// Whether it has no other numbers than integers. Then its JSON stands for exactly this value.
  public var isOfTexts: Bool {
    switch self {
    case .text, .flag, .integer: true
    case .number: false
    case .list(let values): values.allSatisfy(\.isOfTexts)
    case .dictionary(let values): values.values.allSatisfy(\.isOfTexts)
    }
  }

  /// Whether decoding accepts the value below so many keys and indexes.
  func isDecodable(at depth: Int) -> Bool {
    switch self {
    case .text, .flag, .integer: true
    case .number(let number): number.isFinite
    case .list(let values): depth < Self.deepestNesting && values.allSatisfy { $0.isDecodable(at: depth + 1) }
    case .dictionary(let values):
      depth < Self.deepestNesting && values.values.allSatisfy { $0.isDecodable(at: depth + 1) }
    }
  }

  private static func checkDepth(_ path: [any CodingKey]) throws(RequestError) {
    guard path.count < deepestNesting else {
      throw RequestError(path.keyPath, "is nested deeper than \(deepestNesting) levels")
    }
  }

  /// Encodes the bare value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .flag(let flag): try container.encode(flag)
    case .integer(let integer): try container.encode(integer)
    case .number(let number): try container.encode(number)
    case .list(let values): try container.encode(values)
    case .dictionary(let values): try container.encode(values)
    }
  }
}

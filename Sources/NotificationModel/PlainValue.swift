// SPDX-License-Identifier: Apache-2.0

/// A value that JSON, a property list and the bus can all carry: what `userInfo` is made of.
public enum PlainValue: Hashable, Sendable, Codable {
  /// A text.
  case text(String)
  /// A flag.
  case flag(Bool)
  /// A whole number.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// Several, in order.
  case list([PlainValue])
  /// Several, by name.
  case dictionary([String: PlainValue])

  /// How deep a request may nest, itself included.
  public static let deepestNesting = 8

  /// From whatever the decoder has there.
  public init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count < Self.deepestNesting else {
      throw RequestError(decoder.codingPath.keyPath, "is nested deeper than \(Self.deepestNesting) levels")
    }
    let container = try decoder.singleValueContainer()
    // A flag before the numbers: a property list's decoder takes `true` for 1 as well.
    if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let values = try Self.unlessTooDeep({ try container.decode([PlainValue].self) }) {
      self = .list(values)
    } else if let values = try Self.unlessTooDeep({ try container.decode([String: PlainValue].self) }) {
      self = .dictionary(values)
    } else {
      throw RequestError(decoder.codingPath.keyPath, "must be a text, a number, true or false, a list or a dictionary")
    }
  }

  /// Nil where the value is of another kind; an error of ours goes on.
  private static func unlessTooDeep<T>(_ decode: () throws -> T) throws(RequestError) -> T? {
    do { return try decode() } catch let error as RequestError { throw error } catch { return nil }
  }

  /// As what it is, without any wrapping.
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

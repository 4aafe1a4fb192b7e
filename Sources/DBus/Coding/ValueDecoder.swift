// SPDX-License-Identifier: Apache-2.0

/// Decodes any `Decodable` from a value of the bus; the counterpart of ``ValueEncoder``.
///
/// Accepts differences between bindings: any integer that fits exactly for an integer or a floating-point number, a
/// variant in any place, a structure for an array, keys of any type with a text. Everything else is strict.
/// ``Swift/DecodingError/summary`` describes an error in one line.
public struct ValueDecoder: Sendable {
  /// The user info for the `init(from:)` of the types.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates a decoder without user info.
  public init() {}

  /// Decodes a `T` from one value; refuses more than 64 nested containers.
  public func decode<T: Decodable>(_ type: T.Type, from value: Value) throws(DecodingError) -> T {
    try decode(type, from: DecodingNode(.value(value), userInfo: userInfo))
  }

  /// Decodes a `T` from the properties that ``Value/properties`` returns.
  public func decode<T: Decodable>(
    _ type: T.Type, fromProperties properties: [String: Value]
  ) throws(DecodingError) -> T {
    try decode(type, from: DecodingNode(.properties(properties), userInfo: userInfo))
  }

  private func decode<T: Decodable>(_ type: T.Type, from node: DecodingNode) throws(DecodingError) -> T {
    do {
      return try node.decode(type)
    } catch let error as DecodingError {
      throw error
    } catch {
      // A type's own init(from:) may throw any error.
      throw .dataCorrupted(.init(codingPath: [], debugDescription: "\(error)", underlyingError: error))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Makes any `Decodable` from a value of the bus; the counterpart of ``ValueEncoder``.
///
/// Generous where bindings differ: any integer that fits exactly will do for an integer or a floating-point number, a
/// variant is opened wherever it stands, a structure is an array, keys may be of any type with a text. Strict in
/// everything else. ``Swift/DecodingError/summary`` makes one line of an error.
public struct ValueDecoder: Sendable {
  /// For the `init(from:)` of the types.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// A decoder without user info.
  public init() {}

  /// A `T` from one value; what nests deeper than 64 containers is refused.
  public func decode<T: Decodable>(_ type: T.Type, from value: Value) throws(DecodingError) -> T {
    try decode(type, from: DecodingNode(.value(value), userInfo: userInfo))
  }

  /// A `T` from the properties that ``Value/properties`` gives.
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

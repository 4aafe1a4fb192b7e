// SPDX-License-Identifier: Apache-2.0

/// Encodes any `Encodable` as a value of the bus.
///
/// | Swift | bus |
/// |---|---|
/// | struct, class, enum with payload, `[String: T]` | `a{sv}`, keys in order; a nil is absent |
/// | `String`, `Bool`, `Double` and `Float` | `s`, `b`, `d` |
/// | `Int` and `Int64`, `Int32`, `Int16` and `Int8` | `x`, `i`, `n` |
/// | `UInt` and `UInt64`, `UInt32`, `UInt16`, `UInt8` | `t`, `u`, `q`, `y` |
/// | array of one of these, `[UInt8]`, array of the first | `as`, `ax`…, `ay`, `aa{sv}` |
/// | any other array, as one of arrays, or of mixed types | `av` |
/// | an empty array | as full where its elements are of one of the types above but the first, else `av` |
/// | ``Value``, ``ObjectPath``, ``Signature`` | itself, `o`, `g` |
public struct ValueEncoder: Sendable {
  /// The user info for the `encode(to:)` of the types.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates an encoder without user info.
  public init() {}

  /// Encodes a value; refuses nil, and more than 64 nested containers.
  public func encode(_ value: some Encodable) throws(EncodingError) -> Value {
    let result: Value?
    do {
      result = try EncodingNode(userInfo: userInfo).encode(value, at: nil)
    } catch {
      throw EncodingError(wrapping: error, of: value)
    }
    guard let result else { throw EncodingError(value, [], "nothing to encode: the bus has no null") }
    return result
  }

  /// Encodes the properties of a value that is an `a{sv}`.
  public func encodeProperties(_ value: some Encodable) throws(EncodingError) -> [String: Value] {
    do {
      let node = EncodingNode(userInfo: userInfo)
      defer { node.letGo() }
      try value.encode(to: node)
      if let properties = try node.properties() { return properties }
    } catch {
      throw EncodingError(wrapping: error, of: value)
    }
    throw EncodingError(value, [], "expected a keyed value")
  }
}

extension EncodingError {
  init(_ value: Any, _ path: [any CodingKey], _ problem: String) {
    self = .invalidValue(value, Context(codingPath: path, debugDescription: problem))
  }

  /// A type's own `encode(to:)` may throw any error.
  fileprivate init(wrapping error: any Error, of value: Any) {
    self =
      error as? EncodingError
      ?? .invalidValue(value, Context(codingPath: [], debugDescription: "\(error)", underlyingError: error))
  }
}

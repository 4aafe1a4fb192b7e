// SPDX-License-Identifier: Apache-2.0

/// A Swift type that maps to one basic value of the bus and needs no container.
protocol Scalar: Codable {
  /// The type on the bus.
  static var type: ValueType { get }
  /// The description for an error: `a string`.
  static var expectation: String { get }
  /// Converts a value that fits exactly; the caller unwraps variants.
  static func read(_ value: Value) -> Self?
  /// Converts to a bus value.
  var value: Value { get }
}

extension Scalar where Self: FixedWidthInteger {
  static var expectation: String { "an integer" }

  @inline(__always)
  static func read(_ value: Value) -> Self? {
    switch value {
    case .byte(let number): Self(exactly: number)
    case .int16(let number): Self(exactly: number)
    case .uint16(let number): Self(exactly: number)
    case .int32(let number): Self(exactly: number)
    case .uint32(let number): Self(exactly: number)
    case .int64(let number): Self(exactly: number)
    case .uint64(let number): Self(exactly: number)
    default: nil
    }
  }
}

extension String: Scalar {
  static var type: ValueType { .string }
  static var expectation: String { "a string" }
  static func read(_ value: Value) -> String? {
    if case .string(let text) = value { text } else { nil }
  }
  var value: Value { .string(self) }
}

extension Bool: Scalar {
  static var type: ValueType { .boolean }
  static var expectation: String { "a boolean" }
  static func read(_ value: Value) -> Bool? {
    if case .boolean(let flag) = value { flag } else { nil }
  }
  var value: Value { .boolean(self) }
}

extension Double: Scalar {
  static var type: ValueType { .double }
  static var expectation: String { "a number" }
  static func read(_ value: Value) -> Double? {
    switch value {
    case .double(let number): number
    case .int64(let number): Double(exactly: number)
    case .uint64(let number): Double(exactly: number)
    default: Int64.read(value).map { Double($0) }  // the narrower integers, which all fit
    }
  }
  var value: Value { .double(self) }
}

extension Float: Scalar {
  static var type: ValueType { .double }
  static var expectation: String { "a number" }
  /// Rounds a double, because `0.1` has no exact `Float`, but never to infinity.
  static func read(_ value: Value) -> Float? {
    if case .double(let number) = value {
      let rounded = Float(number)
      return rounded.isInfinite && number.isFinite ? nil : rounded
    }
    return Int64.read(value).flatMap { Float(exactly: $0) } ?? UInt64.read(value).flatMap { Float(exactly: $0) }
  }
  var value: Value { .double(Double(self)) }
}

extension Int: Scalar {
  static var type: ValueType { .int64 }
  var value: Value { .int64(Int64(self)) }
}

extension Int8: Scalar {
  static var type: ValueType { .int16 }
  var value: Value { .int16(Int16(self)) }
}

extension Int16: Scalar {
  static var type: ValueType { .int16 }
  var value: Value { .int16(self) }
}

extension Int32: Scalar {
  static var type: ValueType { .int32 }
  var value: Value { .int32(self) }
}

extension Int64: Scalar {
  static var type: ValueType { .int64 }
  var value: Value { .int64(self) }
}

extension UInt: Scalar {
  static var type: ValueType { .uint64 }
  var value: Value { .uint64(UInt64(self)) }
}

extension UInt8: Scalar {
  static var type: ValueType { .byte }
  var value: Value { .byte(self) }
}

extension UInt16: Scalar {
  static var type: ValueType { .uint16 }
  var value: Value { .uint16(self) }
}

extension UInt32: Scalar {
  static var type: ValueType { .uint32 }
  var value: Value { .uint32(self) }
}

extension UInt64: Scalar {
  static var type: ValueType { .uint64 }
  var value: Value { .uint64(self) }
}

/// An array whose type on the bus is known even if it is empty.
protocol ScalarArray {
  static var empty: Value { get }
}

extension Array: ScalarArray where Element: Scalar {
  static var empty: Value { Element.type == .byte ? .bytes([]) : .array(of: Element.type, []) }
}

// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The requirements of the protocol are documented there.

extension UInt8: BusKey {
  public static var busType: ValueType { .byte }
  public static func read(from reader: inout ArgumentReader) -> UInt8 { reader.number(0) }
  public func write(to writer: inout WireWriter) { writer.addByte(self) }
  public static func unpack(_ value: Value) -> UInt8? { if case .byte(let number) = value { number } else { nil } }
  public var busValue: Value { .byte(self) }
}

extension Bool: BusType {
  public static var busType: ValueType { .boolean }
  public static func read(from reader: inout ArgumentReader) -> Bool { reader.number(UInt32(0)) != 0 }
  public func write(to writer: inout WireWriter) { writer.add(UInt32(self ? 1 : 0)) }
  public static func unpack(_ value: Value) -> Bool? { value.boolean }
  public var busValue: Value { .boolean(self) }
}

extension Int16: BusKey {
  public static var busType: ValueType { .int16 }
  public static func read(from reader: inout ArgumentReader) -> Int16 { reader.number(0) }
  public func write(to writer: inout WireWriter) { writer.add(self) }
  public static func unpack(_ value: Value) -> Int16? { if case .int16(let number) = value { number } else { nil } }
  public var busValue: Value { .int16(self) }
}

extension UInt16: BusKey {
  public static var busType: ValueType { .uint16 }
  public static func read(from reader: inout ArgumentReader) -> UInt16 { reader.number(0) }
  public func write(to writer: inout WireWriter) { writer.add(self) }
  public static func unpack(_ value: Value) -> UInt16? { if case .uint16(let number) = value { number } else { nil } }
  public var busValue: Value { .uint16(self) }
}

extension Int32: BusKey {
  public static var busType: ValueType { .int32 }
  public static func read(from reader: inout ArgumentReader) -> Int32 { reader.number(0) }
  public func write(to writer: inout WireWriter) { writer.add(self) }
  public static func unpack(_ value: Value) -> Int32? { if case .int32(let number) = value { number } else { nil } }
  public var busValue: Value { .int32(self) }
}

extension UInt32: BusKey {
  public static var busType: ValueType { .uint32 }
  public static func read(from reader: inout ArgumentReader) -> UInt32 { reader.number(0) }
  public func write(to writer: inout WireWriter) { writer.add(self) }
  public static func unpack(_ value: Value) -> UInt32? { value.uint32 }
  public var busValue: Value { .uint32(self) }
}

extension Int64: BusKey {
  public static var busType: ValueType { .int64 }
  public static func read(from reader: inout ArgumentReader) -> Int64 { reader.number(0) }
  public func write(to writer: inout WireWriter) { writer.add(self) }
  public static func unpack(_ value: Value) -> Int64? { if case .int64(let number) = value { number } else { nil } }
  public var busValue: Value { .int64(self) }
}

extension UInt64: BusKey {
  public static var busType: ValueType { .uint64 }
  public static func read(from reader: inout ArgumentReader) -> UInt64 { reader.number(0) }
  public func write(to writer: inout WireWriter) { writer.add(self) }
  public static func unpack(_ value: Value) -> UInt64? { if case .uint64(let number) = value { number } else { nil } }
  public var busValue: Value { .uint64(self) }
}

extension Double: BusType {
  public static var busType: ValueType { .double }
  public static func read(from reader: inout ArgumentReader) -> Double { reader.number(0) }
  public func write(to writer: inout WireWriter) { writer.add(bitPattern) }
  public static func unpack(_ value: Value) -> Double? { if case .double(let number) = value { number } else { nil } }
  public var busValue: Value { .double(self) }
}

extension String: BusKey {
  public static var busType: ValueType { .string }
  public static func read(from reader: inout ArgumentReader) -> String { reader.text() }
  public func write(to writer: inout WireWriter) throws(BusError) { try writer.addString(self) }
  public static func unpack(_ value: Value) -> String? { value.string }
  public var busValue: Value { .string(self) }
}

extension UnixFD: BusType {
  public static var busType: ValueType { .unixFD }
  public static func read(from reader: inout ArgumentReader) throws(BusError) -> Self {
    // The class is final.
    try reader.descriptor() as! Self
  }
  public func write(to writer: inout WireWriter) { writer.addDescriptor() }
  public static func unpack(_ value: Value) -> Self? {
    if case .unixFD(let descriptor) = value { descriptor as? Self } else { nil }
  }
  public var busValue: Value { .unixFD(self) }
}

// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The requirements of the protocol are documented there.

extension ObjectPath: BusKey {
  public static var busType: ValueType { .objectPath }
  public static func read(from reader: inout ArgumentReader) -> ObjectPath { ObjectPath(unchecked: reader.text()) }
  public func write(to writer: inout WireWriter) { writer.addText(text) }
  public static func unpack(_ value: Value) -> ObjectPath? {
    if case .objectPath(let path) = value { path } else { nil }
  }
  public var busValue: Value { .objectPath(self) }
}

extension Signature: BusKey {
  public static var busType: ValueType { .signature }
  public static func read(from reader: inout ArgumentReader) -> Signature { Signature(unchecked: reader.text()) }
  public func write(to writer: inout WireWriter) { writer.addSignature(text) }
  public static func unpack(_ value: Value) -> Signature? {
    if case .signature(let signature) = value { signature } else { nil }
  }
  public var busValue: Value { .signature(self) }
}

/// A name that is an `s` on the bus, which checks no `s`.
public protocol NameAsString: CheckedName, BusKey {}

extension NameAsString {
  public static var busType: ValueType { .string }

  public static func read(from reader: inout ArgumentReader) throws(BusError) -> Self {
    let text = reader.text()
    guard let name = Self(text) else { throw BusError(.invalidValue, "not a valid \(Self.self): '\(text)'") }
    return name
  }

  public func write(to writer: inout WireWriter) { writer.addText(text) }
  public static func unpack(_ value: Value) -> Self? { value.string.flatMap { Self($0) } }
  public var busValue: Value { .string(text) }
}

extension BusName: NameAsString {}
extension InterfaceName: NameAsString {}
extension MemberName: NameAsString {}
extension ErrorName: NameAsString {}

// SPDX-License-Identifier: Apache-2.0

extension ObjectPath: Codable {
  /// `o` on the bus, text in other formats.
  public func encode(to encoder: any Encoder) throws { try Value.objectPath(self).encode(to: encoder) }
}

extension Signature: Codable {
  /// `g` on the bus, text in other formats.
  public func encode(to encoder: any Encoder) throws { try Value.signature(self).encode(to: encoder) }
}

extension BusName: Codable {}
extension InterfaceName: Codable {}
extension MemberName: Codable {}
extension ErrorName: Codable {}

extension CheckedName where Self: Codable {
  /// Decodes valid text, whether `s`, `o` or `g`.
  public init(from decoder: any Decoder) throws {
    let text: String
    switch try Value(from: decoder).opened {
    case .string(let string): text = string
    case .objectPath(let path): text = path.text
    case .signature(let signature): text = signature.text
    case let other:
      throw DecodingError.typeMismatch(
        Self.self, .init(codingPath: decoder.codingPath, debugDescription: "expected a string, got \(other.type.code)"))
    }
    guard Self.isValid(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "not a valid \(Self.self): '\(text)'"))
    }
    self.init(unchecked: text)
  }

  /// Encodes the text.
  public func encode(to encoder: any Encoder) throws { try Value.string(text).encode(to: encoder) }
}

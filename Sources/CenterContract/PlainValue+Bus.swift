// SPDX-License-Identifier: Apache-2.0
public import DBus
public import NotificationModel

extension PlainValue {
  /// Converts the center's rows; values that a request cannot contain are dropped.
  ///
  /// Without `Codable`, because listings may have a million rows.
  public init?(_ value: Value) {
    switch value {
    case .string(let text): self = .text(text)
    case .boolean(let flag): self = .flag(flag)
    case .double(let number): self = .number(number)
    case .variant(let value): self.init(value)
    case .array(_, let values): self = .list(values.compactMap(PlainValue.init))
    case .bytes(let bytes): self = .list(bytes.map { .integer(Int64($0)) })
    case .dictionary(let dictionary):
      var values: [String: PlainValue] = [:]
      for entry in dictionary.entries {
        guard case .string(let key) = entry.key else { return nil }
        values[key] = PlainValue(entry.value)
      }
      self = .dictionary(values)
    default:
      guard let integer = value.integer else { return nil }
      self = .integer(integer)
    }
  }
}

extension Value {
  /// Converts a value of a request to what `ValueEncoder` would make of it.
  ///
  /// Without `Codable`, because listings may have a million rows.
  public init(_ plain: PlainValue) {
    self =
      switch plain {
      case .text(let text): .string(text)
      case .flag(let flag): .boolean(flag)
      case .integer(let integer): .int64(integer)
      case .number(let number): .double(number)
      case .list(let values): .array(joining: values.map { Value($0) })
      case .dictionary(let values): .properties(values.mapValues { Value($0) })
      }
  }
}

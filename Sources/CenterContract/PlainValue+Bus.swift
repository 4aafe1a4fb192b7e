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

extension Properties {
  /// The same as a request or a part of one, if nothing is lost: see ``DBus/Value/plain``.
  public var plain: PlainValue? {
    var values = [String: PlainValue](minimumCapacity: entries.count)
    for entry in entries {
      guard let plain = entry.value.plain(depth: 1), values.updateValue(plain, forKey: entry.key) == nil else {
        return nil
      }
    }
    return .dictionary(values)
  }
}

extension Value {
  /// The same value as a part of a request, if nothing is lost; nil for values that a request cannot contain, and for
  /// some rare ones, such as numbers with fractions and keys that occur twice.
  public var plain: PlainValue? { plain(depth: 0) }

  fileprivate func plain(depth: Int) -> PlainValue? {
    guard depth < PlainValue.deepestNesting else { return nil }
    switch self {
    case .string(let text): return .text(text)
    case .boolean(let flag): return .flag(flag)
    case .array(let element, let values):
      var list: [PlainValue] = []
      list.reserveCapacity(values.count)
      for value in values {
        guard let plain = (element == .variant ? value.inside : value).plain(depth: depth + 1) else { return nil }
        list.append(plain)
      }
      return .list(list)
    case .dictionary(let dictionary):
      guard dictionary.keyType == .string, dictionary.valueType == .variant else { return nil }
      var values = [String: PlainValue](minimumCapacity: dictionary.entries.count)
      for entry in dictionary.entries {
        guard case .string(let key) = entry.key, let plain = entry.value.inside.plain(depth: depth + 1),
          values.updateValue(plain, forKey: key) == nil
        else { return nil }
      }
      return .dictionary(values)
    default: return integer.map { .integer($0) }
    }
  }

  private var inside: Value { if case .variant(let value) = self { value } else { self } }
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

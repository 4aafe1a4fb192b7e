// SPDX-License-Identifier: Apache-2.0

/// The fields of a dictionary for lookup by name. Each is the value inside the variant of an `a{sv}`.
enum DictionaryFields {
  /// No keyed container was requested yet.
  case none
  /// In wire order; for so few fields, comparing is faster than hashing.
  case few([DictionaryValue.Entry])
  /// - Parameter twins: names that are equal to another one in Unicode but differ in bytes.
  case named([String: Value], twins: [String])

  private static let fewest = 16

  /// Returns nil if a key cannot be converted to text.
  init?(_ dictionary: DictionaryValue) {
    if dictionary.keyType == .string, dictionary.entries.count <= Self.fewest {
      self = .few(dictionary.entries)
      return
    }
    var named: [String: Value] = [:]
    var twins: [String] = []
    named.reserveCapacity(dictionary.entries.count)
    for entry in dictionary.entries {
      guard let name = entry.key.keyText else { return nil }
      if let index = named.index(forKey: name), !named[index].key.utf8.elementsEqual(name.utf8) { twins.append(name) }
      named[name] = entry.value.openedOnce
    }
    self = .named(named, twins: twins)
  }

  /// Returns the last value if a name occurs twice.
  func value(named name: String) -> Value? {
    switch self {
    case .named(let values, _): return values[name]
    case .few(let entries):
      var place = entries.count
      while place > 0 {
        place -= 1
        if case .string(let key) = entries[place].key, key == name { return entries[place].value.openedOnce }
      }
      return nil
    case .none: return nil
    }
  }

  /// The keys, compared by their bytes, so that the caller can detect two keys that a Swift dictionary merges.
  var names: [String] {
    switch self {
    case .none: return []
    case .named(let values, let twins): return Array(values.keys) + twins
    case .few(let entries):
      var names: [String] = []
      names.reserveCapacity(entries.count)
      for entry in entries {
        if case .string(let name) = entry.key, !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
          names.append(name)
        }
      }
      return names
    }
  }
}

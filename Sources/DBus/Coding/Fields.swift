// SPDX-License-Identifier: Apache-2.0

/// The fields of a dictionary, ready to be looked up by name; each is the value behind the variant of an `a{sv}`.
enum Fields {
  /// Nobody asked for a keyed container yet.
  case none
  /// In the order of the wire: few enough that comparing is quicker than hashing.
  case few([DictionaryValue.Entry])
  case named([String: Value])

  private static let fewest = 16

  /// Nil where a key has no text.
  init?(_ dictionary: DictionaryValue) {
    if dictionary.keyType == .string, dictionary.entries.count <= Self.fewest {
      self = .few(dictionary.entries)
      return
    }
    var named: [String: Value] = [:]
    named.reserveCapacity(dictionary.entries.count)
    for entry in dictionary.entries {
      guard let name = entry.key.keyText else { return nil }
      named[name] = entry.value.openedOnce
    }
    self = .named(named)
  }

  /// Of a name that comes twice the last counts.
  func value(named name: String) -> Value? {
    switch self {
    case .named(let values): return values[name]
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

  var names: [String] {
    switch self {
    case .none: return []
    case .named(let values): return Array(values.keys)
    case .few(let entries):
      var names: [String] = []
      names.reserveCapacity(entries.count)
      for entry in entries {
        if case .string(let name) = entry.key, !names.contains(name) { names.append(name) }
      }
      return names
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Reads the keys of one dictionary of a payload; every error names the key. Keys that are not known are not read: new
/// ones come with each of Apple's systems.
struct PushFields {
  private let values: [String: PlainValue]
  private let path: String

  init(_ values: [String: PlainValue], at path: String) {
    self.values = values
    self.path = path
  }

  func name(_ key: String) -> String { "\(path).\(key)" }

  func has(_ key: String) -> Bool { values[key] != nil }

  var keys: some Collection<String> { values.keys }

  subscript(key: String) -> PlainValue? { values[key] }

  func text(_ key: String) throws(RequestError) -> String? {
    guard let value = values[key] else { return nil }
    guard case .text(let text) = value else { throw RequestError(name(key), "must be a string, not \(value.inAWord)") }
    return text
  }

  /// A text that is not empty; nil for an empty one, which servers write for none.
  func words(_ key: String) throws(RequestError) -> String? {
    guard let text = try text(key), !text.isEmpty else { return nil }
    return text
  }

  /// A name; see ``CheckedIdentifier``. Nil for an empty one.
  func identifier(_ key: String) throws(RequestError) -> String? {
    guard let text = try words(key) else { return nil }
    guard text.isIdentifier else { throw RequestError(name(key), text.identifierProblem) }
    return text
  }

  /// Apple's flags are 0 and 1.
  func flag(_ key: String) throws(RequestError) -> Bool {
    switch values[key] {
    case nil, .flag(false), .integer(0): return false
    case .flag(true), .integer(1): return true
    case .some(let value): throw RequestError(name(key), "must be 0 or 1, not \(value.inAWord)")
    }
  }

  func integer(_ key: String, in range: ClosedRange<Int64>) throws(RequestError) -> Int64? {
    guard let value = values[key] else { return nil }
    guard case .integer(let integer) = value, range.contains(integer) else {
      throw RequestError(
        name(key), "must be an integer from \(range.lowerBound) to \(range.upperBound), not \(value.inAWord)")
    }
    return integer
  }

  func number(_ key: String, in range: ClosedRange<Double>) throws(RequestError) -> Double? {
    guard let value = values[key] else { return nil }
    let number: Double? =
      switch value {
      case .number(let number): number
      case .integer(let integer): Double(integer)
      default: nil
      }
    guard let number, range.contains(number) else {
      throw RequestError(
        name(key), "must be a number from \(Int(range.lowerBound)) to \(Int(range.upperBound)), not \(value.inAWord)")
    }
    return number
  }

  /// A list of texts; numbers count as their text.
  func texts(_ key: String) throws(RequestError) -> [String] {
    guard let value = values[key] else { return [] }
    guard case .list(let values) = value else { throw RequestError(name(key), "must be a list of strings") }
    var texts: [String] = []
    for (index, value) in values.enumerated() {
      switch value {
      case .text(let text): texts.append(text)
      case .integer(let integer): texts.append(String(integer))
      case .number(let number): texts.append("\(number)")
      default: throw RequestError("\(name(key))[\(index)]", "must be a string, not \(value.inAWord)")
      }
    }
    return texts
  }
}

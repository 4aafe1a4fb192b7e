// SPDX-License-Identifier: Apache-2.0
import DBus

/// The arguments of a message as text, so that kept inputs can be read and a small change of one is mostly a message
/// again:
///
///     s"text" o"/path" g"sv"              the three kinds of text
///     y7 b1 n-2 q2 i-3 u3 x-4 t4 d0.5     numbers, each with the code of its type
///     v VALUE                             a variant
///     (VALUE…)                            a structure
///     aTYPE[VALUE…]                       an array; of a dictionary, the keys and values alternate
///     *N VALUE                            N times the same value
///
/// Blanks may be left out, except between a `d` and a letter of `einfa`.
struct WireText {
  private var rest: ArraySlice<UInt8>
  /// How many values all repetitions together may make, so that a text stays quick.
  private var repeatedValuesLeft = 50_000
  /// How often the next value is repeated: the product of the repetitions around it.
  private var repeats = 1
  /// libdbus takes 64 levels.
  private static let deepest = 80

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// All values, to the end; nil if the text is not of this form.
  mutating func values() -> [Value]? { values(until: nil, depth: 0) }

  /// A word such as the name of a method, before the values.
  mutating func word() -> String {
    skipBlanks()
    let word = rest.prefix { !" \t\n".utf8.contains($0) }
    rest = rest.dropFirst(word.count)
    return String(decoding: word, as: UTF8.self)
  }

  private mutating func skipBlanks() { rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: scalar) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func values(until end: Unicode.Scalar?, depth: Int) -> [Value]? {
    var values: [Value] = []
    while true {
      skipBlanks()
      if let end, take(end) { return values }
      if rest.isEmpty { return end == nil ? values : nil }
      var count = 1
      if take("*") {
        guard let number = Int(digits()), 0...repeatedValuesLeft ~= number else { return nil }
        count = number
        skipBlanks()
      }
      let repeatsAround = repeats
      // No overflow: both are at most the limit.
      repeats *= count
      guard let value = value(depth) else { return nil }
      repeats = repeatsAround
      values += repeatElement(value, count: count)
    }
  }

  private mutating func digits(or others: String = "") -> String {
    let digits = rest.prefix { ("+-0123456789" + others).utf8.contains($0) }
    rest = rest.dropFirst(digits.count)
    return String(decoding: digits, as: UTF8.self)
  }

  private mutating func text() -> String? {
    guard take("\"") else { return nil }
    let text = rest.prefix { $0 != UInt8(ascii: "\"") }
    rest = rest.dropFirst(text.count)
    return take("\"") ? String(decoding: text, as: UTF8.self) : nil
  }

  private mutating func value(_ depth: Int) -> Value? {
    guard depth < Self.deepest, repeats == 1 || countRepeated(), let code = rest.popFirst() else { return nil }
    switch Unicode.Scalar(code) {
    case "s": return text().map { .string($0) }
    case "o": return text().flatMap { ObjectPath($0) }.map { .objectPath($0) }
    case "g": return text().flatMap { Signature($0) }.map { .signature($0) }
    case "y": return UInt8(digits()).map { .byte($0) }
    case "b": return Int(digits()).map { .boolean($0 != 0) }
    case "n": return Int16(digits()).map { .int16($0) }
    case "q": return UInt16(digits()).map { .uint16($0) }
    case "i": return Int32(digits()).map { .int32($0) }
    case "u": return UInt32(digits()).map { .uint32($0) }
    case "x": return Int64(digits()).map { .int64($0) }
    case "t": return UInt64(digits()).map { .uint64($0) }
    case "d": return Double(digits(or: ".enaif")).map { .double($0) }
    case "v":
      skipBlanks()
      return value(depth + 1).map { .variant($0) }
    case "(":
      guard let fields = values(until: ")", depth: depth + 1), !fields.isEmpty else { return nil }
      return .structure(fields)
    case "a": return array(depth)
    default: return nil
    }
  }

  /// Counts what the repetitions around a value make of it; returns false if that is too much.
  private mutating func countRepeated() -> Bool {
    guard repeats <= repeatedValuesLeft else { return false }
    repeatedValuesLeft -= repeats
    return true
  }

  private mutating func array(_ depth: Int) -> Value? {
    let code = rest.prefix { $0 != UInt8(ascii: "[") }
    rest = rest.dropFirst(code.count)
    guard take("["), let values = values(until: "]", depth: depth + 1) else { return nil }
    switch Signature("a" + String(decoding: code, as: UTF8.self))?.singleType {
    case .array(.byte)?: return .bytes(values.compactMap { if case .byte(let byte) = $0 { byte } else { nil } })
    case .array(let element)?: return .array(of: element, values)
    case .dictionary(let key, let value)?:
      guard values.count.isMultiple(of: 2) else { return nil }
      let entries = stride(from: 0, to: values.count, by: 2).map {
        DictionaryValue.Entry(key: values[$0], value: values[$0 + 1])
      }
      return .dictionary(DictionaryValue(keyType: key, valueType: value, entries: entries))
    default: return nil
    }
  }
}

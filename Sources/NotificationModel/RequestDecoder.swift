// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// Decodes the keys of one dictionary of a request from any format; every error names the key.
///
/// A class, because a request has dozens of keys, and each would copy the values.
final class RequestDecoder {
  private let decoder: any Decoder
  /// The container, unless the decoder is ours, which makes one for the few values that need it.
  private let kept: KeyedDecodingContainer<Key>?
  /// The existing keys, and their values if the decoder is ours: reading these takes a tenth of the time. They are few,
  /// and comparing them takes less time than hashing one. Most known keys are absent, and a container takes long to
  /// tell that.
  private let present: [(key: String, value: PlainValue?)]
  /// A bit for each existing key, shared by few others, which rules out nearly all absent keys.
  private let marks: UInt64
  /// The bits of the existing keys.
  private let found: UInt64
  private let path: String

  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Refuses keys that are not `known`: a misspelt key must not be ignored.
  init(of decoder: any Decoder, known: KnownKeys) throws {
    self.decoder = decoder
    path = decoder.codingPath.keyPath
    // A failing cast is slow, and most decoders are others.
    if type(of: decoder) == PlainDecoder.self, let values = (decoder as? PlainDecoder)?.values {
      kept = nil
      present = values.map { ($0, $1) }
    } else if let container = try? decoder.container(keyedBy: Key.self) {
      kept = container
      present = container.allKeys.map { ($0.stringValue, nil) }
    } else {
      throw RequestError(path, path.isEmpty ? "a request must be a dictionary" : "must be a dictionary")
    }
    marks = present.reduce(0) { $0 | Self.mark($1.key) }
    var (found, unknown): (UInt64, String?) = (0, nil)
    for (key, _) in present {
      if let bit = known.bit(of: key) {
        found |= bit
      } else {
        // The first by name, so that the same request always gets the same error.
        unknown = min(unknown ?? key, key)
      }
    }
    self.found = found
    guard let unknown else { return }
    guard !unknown.isEmpty else { throw RequestError(path, "must not have an empty key") }
    // What a click does belongs to an action.
    let isEffect = ["run", "launch", "snooze", "input"].contains(unknown) && known.contains("actions")
    let suggestion =
      isEffect
      ? "; it is a key of an action, such as the one with the id 'default' for a click on the notification"
      : unknown.misspelling(ofOneOf: known.names).map { "; did you mean '\($0)'?" }
    throw RequestError(name(unknown), "is not a known key" + (suggestion ?? ""), isAboutKey: true)
  }

  private static func mark(_ key: String) -> UInt64 {
    1 << ((UInt64(key.utf8.first ?? 0) &+ 7 &* UInt64(truncatingIfNeeded: key.utf8.count)) & 63)
  }

  /// Whether any key of a group exists.
  ///
  /// - Parameter bits: those of the group: ``KnownKeys/bits(of:)``.
  func hasAny(_ bits: UInt64) -> Bool { found & bits != 0 }

  private func container() throws -> KeyedDecodingContainer<Key> {
    try kept ?? decoder.container(keyedBy: Key.self)
  }

  func name(_ key: String) -> String { path.isEmpty ? key : path + "." + key }

  // MARK: Values

  func text(_ key: String, _ expected: @autoclosure () -> String = "a string") throws -> String? {
    guard let text = try string(key, expected()) else { return nil }
    guard !text.holdsNUL else { throw RequestError(name(key), "must not contain NUL characters") }
    return text
  }

  /// Decodes an identifier, which must not be empty or contain control characters.
  func identifier(_ key: String) throws -> String? {
    guard let text = try string(key, String.identifierForm) else { return nil }
    guard text.isIdentifier else { throw RequestError(name(key), text.identifierProblem) }
    return text
  }

  func required<T>(_ key: String, _ value: T?) throws(RequestError) -> T {
    guard let value else { throw RequestError(name(key), "is missing") }
    return value
  }

  func integer(_ key: String, in range: ClosedRange<Int>) throws -> Int? {
    // Computed only for an error, here and below.
    var expected: String { "an integer from \(range.lowerBound) to \(range.upperBound)" }
    guard let integer: Int = try value(key, expected) else { return nil }
    // A property list's decoder accepts `true` as 1.
    guard range.contains(integer), (try? container().decode(Bool.self, forKey: Key(stringValue: key))) == nil else {
      throw RequestError(name(key), "must be \(expected)\(instead(key))")
    }
    return integer
  }

  func number(_ key: String, in range: ClosedRange<Double>) throws -> Double? {
    var expected: String {
      let ends = [range.lowerBound, range.upperBound].map { Double(Int($0)) == $0 ? "\(Int($0))" : "\($0)" }
      return "a number from \(ends[0]) to \(ends[1])"
    }
    guard let number: Double = try value(key, expected) else { return nil }
    guard range.contains(number), (try? container().decode(Bool.self, forKey: Key(stringValue: key))) == nil else {
      throw RequestError(name(key), "must be \(expected)\(instead(key))")
    }
    return number
  }

  func flag(_ key: String) throws -> Bool? { try value(key, "true or false") }

  /// What to write instead of a text that is a number or a truth value in quotation marks; nil for another value.
  private func unquoted<T>(_ key: String, as type: T.Type) -> String? {
    guard case .text(let text)? = try? container().decode(PlainValue.self, forKey: Key(stringValue: key)) else {
      return nil
    }
    if type == Bool.self { return Bool(text.lowercased()).map { "the boolean \($0)" } }
    if type == Double.self { return Double(text).map { "the number \($0)" } }
    return type == Int.self ? Int(text).map { "the integer \($0)" } : nil
  }

  func texts(_ key: String) throws -> [String]? {
    try value(key, "a list of strings", element: "a string")
  }

  func dictionary(_ key: String, _ expected: @autoclosure () -> String = "a dictionary") throws -> [String: PlainValue]?
  {
    guard let value: PlainValue = try value(key, expected()) else { return nil }
    guard case .dictionary(let values) = value else {
      throw RequestError(name(key), "must be \(expected()), not \(value.inAWord)")
    }
    return values
  }

  /// Decodes a dictionary of integers.
  func integers(_ key: String, _ expected: @autoclosure () -> String) throws -> [String: Int]? {
    guard let values = try dictionary(key, expected()) else { return nil }
    var integers: [String: Int] = [:]
    // In order, so that the same request always gets the same error.
    for (word, value) in values.sorted(by: { $0.key < $1.key }) {
      guard case .integer(let integer) = value else {
        var advice = ""
        if case .text(let text) = value, let number = Int(text) { advice = "; give the integer \(number)" }
        throw RequestError("\(name(key)).\(word)", "must be an integer, not \(value.inAWord)\(advice)")
      }
      integers[word] = Int(integer)
    }
    return integers
  }

  /// Decodes a case of an enumeration.
  func choice<T: RawRepresentable<String> & CaseIterable>(_ key: String, _ type: T.Type) throws -> T? {
    var expected: String { "one of " + T.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ") }
    guard let text = try text(key, expected) else { return nil }
    guard let choice = T(rawValue: text) else {
      let suggestion = text.misspelling(ofOneOf: T.allCases.map(\.rawValue)).map { "; did you mean '\($0)'?" }
      throw RequestError(name(key), "must be \(expected), not \(text.quoted)" + (suggestion ?? ""))
    }
    return choice
  }

  /// Decodes a text that `parse` converts, with its own errors.
  func parsed<T>(
    _ key: String, _ expected: @autoclosure () -> String, _ parse: (String) throws(RequestError) -> T
  ) throws -> T? {
    let found: String?
    do { found = try text(key, expected()) } catch let error as RequestError {
      // A number without its unit.
      guard expected() == Duration.textForm,
        let value = try? container().decode(PlainValue.self, forKey: Key(stringValue: key)),
        case .integer(let number) = value, number > 0
      else { throw error }
      throw RequestError(error.key, error.problem + "; did you mean \"\(number)m\"?")
    }
    guard let text = found else { return nil }
    do throws(RequestError) { return try parse(text) } catch { throw RequestError(name(key), error.problem) }
  }

  /// Decodes a condition: its line, or its dictionary.
  func condition(_ key: String) throws -> Condition? {
    guard let value: PlainValue = try value(key, Condition.textForm) else { return nil }
    do throws(RequestError) {
      switch value {
      case .text(let line): return try Condition(line)
      case .dictionary(let words): return try Condition(words)
      default: throw RequestError("", "must be \(Condition.textForm), not \(value.inAWord)")
      }
    } catch {
      throw RequestError(name(key), error.problem)
    }
  }

  /// Decodes any `Decodable`.
  func value<T: Decodable>(
    _ key: String, _ expected: @autoclosure () -> String, element: String? = nil
  ) throws -> T? {
    try read(key, expected(), element: element) { try self.container().decodeIfPresent(T.self, forKey: $1) }
  }

  /// Decodes a text, which is what most values are.
  private func string(_ key: String, _ expected: @autoclosure () -> String) throws -> String? {
    try read(key, expected(), element: nil) {
      if case .text(let text) = $0 { return text }
      return try self.container().decodeIfPresent(String.self, forKey: $1)
    }
  }

  private func read<T>(
    _ key: String, _ expected: @autoclosure () -> String, element: String?, _ decode: (PlainValue?, Key) throws -> T?
  ) throws -> T? {
    guard marks & Self.mark(key) != 0, let field = present.first(where: { $0.key == key }) else { return nil }
    do {
      if let value = try decode(field.value, Key(stringValue: key)) { return value }
    } catch let error as RequestError {
      throw error
    } catch {
      if let element, let path = (error as? DecodingError)?.path, path.count > decoder.codingPath.count + 1 {
        throw RequestError(path.keyPath, "must be \(element)")
      }
      let advice = unquoted(key, as: T.self).map { "; give \($0)" } ?? ""
      throw RequestError(name(key), "must be \(expected())\(instead(key))\(advice)")
    }
    // A JSON null had some purpose, and ignoring it could be wrong.
    throw RequestError(name(key), "must be \(expected()), not null; omit the key instead")
  }

  /// Describes the actual value for an error, if possible.
  private func instead(_ key: String) -> String {
    (try? container().decode(PlainValue.self, forKey: Key(stringValue: key))).map { ", not \($0.inAWord)" } ?? ""
  }
}

extension PlainValue {
  /// The kind of the value for an error; texts may be private.
  var inAWord: String {
    switch self {
    case .text: "a string"
    case .flag(let flag): "\(flag)"
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .list: "a list"
    case .dictionary: "a dictionary"
    }
  }
}

extension DecodingError {
  fileprivate var path: [any CodingKey]? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      context.codingPath
    @unknown default: nil
    }
  }
}

extension [any CodingKey] {
  /// `actions[1].title`
  var keyPath: String {
    reduce(into: "") { path, key in
      if let index = key.intValue {
        path += "[\(index)]"
      } else {
        path += (path.isEmpty ? "" : ".") + key.stringValue
      }
    }
  }
}

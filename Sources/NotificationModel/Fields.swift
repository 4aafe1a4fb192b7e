// SPDX-License-Identifier: Apache-2.0

/// Reads the keys of one dictionary of a request, whatever format it came in, and names the key in every error.
struct Fields {
  private let container: KeyedDecodingContainer<Key>
  private let path: String

  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Refuses keys that are not `known`: a word that is not understood must not be ignored.
  init(of decoder: any Decoder, known: Set<String>) throws {
    path = decoder.codingPath.keyPath
    guard let container = try? decoder.container(keyedBy: Key.self) else {
      throw RequestError(path, path.isEmpty ? "a request must be a dictionary" : "must be a dictionary")
    }
    self.container = container
    for key in container.allKeys where !known.contains(key.stringValue) {
      let nearest = known.min { ($0.distance(to: key.stringValue), $0) < ($1.distance(to: key.stringValue), $1) }
      let isNear = nearest.map { $0.distance(to: key.stringValue) <= 2 } ?? false
      throw RequestError(
        name(key.stringValue), "is not a known key" + (isNear ? "; did you mean '\(nearest ?? "")'?" : ""))
    }
  }

  func name(_ key: String) -> String { path.isEmpty ? key : path + "." + key }

  func text(_ key: String) throws -> String? {
    try value(key, "a text")
  }

  /// A text that may not be empty or hold control characters, because it names something.
  func identifier(_ key: String) throws -> String? {
    guard let text = try text(key) else { return nil }
    let isGood = !text.isEmpty && text.utf8.count <= 255 && !text.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
    guard isGood else {
      throw RequestError(name(key), "must be 1 to 255 bytes of text without control characters")
    }
    return text
  }

  func required<T>(_ key: String, _ value: T?) throws(RequestError) -> T {
    guard let value else { throw RequestError(name(key), "is missing") }
    return value
  }

  func integer(_ key: String, in range: ClosedRange<Int>) throws -> Int? {
    let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard let integer: Int = try value(key, expected) else { return nil }
    guard range.contains(integer) else { throw RequestError(name(key), "must be \(expected), not \(integer)") }
    return integer
  }

  func texts(_ key: String) throws -> [String]? {
    try value(key, "a list of texts")
  }

  /// A choice among the words of an enumeration.
  func choice<T: RawRepresentable<String> & CaseIterable>(_ key: String, _ type: T.Type) throws -> T? {
    guard let text = try text(key) else { return nil }
    guard let choice = T(rawValue: text) else {
      let words = T.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      throw RequestError(name(key), "must be one of \(words), not '\(text)'")
    }
    return choice
  }

  /// A value with rules of its own, which says in its own words what is wrong.
  func parsed<T>(_ key: String, _ parse: (String) throws(RequestError) -> T) throws -> T? {
    guard let text = try text(key) else { return nil }
    do throws(RequestError) { return try parse(text) } catch { throw RequestError(name(key), error.problem) }
  }

  /// Anything that decodes itself.
  func value<T: Decodable>(_ key: String, _ expected: String) throws -> T? {
    do {
      return try container.decodeIfPresent(T.self, forKey: Key(stringValue: key))
    } catch let error as RequestError {
      throw error
    } catch {
      throw RequestError(name(key), "must be \(expected)")
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

extension String {
  /// How many letters must be put in, taken out or changed to make one the other (Levenshtein).
  package func distance(to other: String) -> Int {
    let target = Array(other)
    var row = Array(0...target.count)
    for (i, letter) in self.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, otherLetter) in target.enumerated() {
        let changed = diagonal + (letter == otherLetter ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = Swift.min(changed, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[target.count]
  }
}

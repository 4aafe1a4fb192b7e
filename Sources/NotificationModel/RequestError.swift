// SPDX-License-Identifier: Apache-2.0

/// An invalid request: the key, and what is wrong with it.
public struct RequestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The key path: `title`, `actions[1].url`. Empty if the error concerns the whole request.
  public let key: String
  /// The expected value, or the problem.
  public let problem: String

  /// Whether the key itself is wrong, not its value.
  public let isAboutKey: Bool

  /// Whether a colon separates the key from the problem, because the problem concerns other keys, too.
  private let isSentence: Bool

  /// Creates an error; both texts are shortened to one line, because they may quote input.
  public init(_ key: String, _ problem: String, isAboutKey: Bool = false) {
    self.init(key, problem, isAboutKey: isAboutKey, isSentence: false)
  }

  /// Creates an error about a key that cannot be combined with the others.
  init(sentence problem: String, about key: String) {
    self.init(key, problem, isAboutKey: false, isSentence: true)
  }

  private init(_ key: String, _ problem: String, isAboutKey: Bool, isSentence: Bool) {
    self.key = Self.line(key)
    self.problem = problem.asLine(longest: 300)
    self.isAboutKey = isAboutKey
    self.isSentence = isSentence
  }

  /// The same error about another key, or about the same key in a longer path.
  public func about(_ key: String) -> RequestError {
    RequestError(key, problem, isAboutKey: isAboutKey, isSentence: isSentence)
  }

  /// The same error for the request with this index in a list.
  func inRequest(_ index: Int) -> RequestError {
    about(key.isEmpty ? "[\(index)]" : "[\(index)].\(key)")
  }

  /// Shortens a key path. The index of a request stays in front, and does not count.
  static func line(_ key: String) -> String {
    guard let end = key.firstIndex(of: "."), isIndex(key[..<end]) else { return key.asLine(longest: 120) }
    let rest = String(key[end...])
    // Escapes have made it longer, or will.
    return key[..<end] + (rest.last == "…" ? rest : rest.asLine(longest: 121))
  }

  /// A key of the input may also begin with a bracket.
  private static func isIndex(_ text: Substring) -> Bool {
    text.first == "[" && text.last == "]" && text.dropFirst().dropLast().allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// One line for users.
  public var description: String { key.isEmpty ? problem : "'\(key)'\(isSentence ? ":" : "") \(problem)" }
}

extension String {
  /// The text shortened to one line; line breaks and bidirectional controls are shown as escapes.
  func asLine(longest: Int) -> String {
    let isShort = utf8.count <= longest || unicodeScalars.count <= longest
    if isShort && !unicodeScalars.contains(where: \.disturbsLines) { return self }
    var line = ""
    for scalar in unicodeScalars.prefix(longest) {
      if scalar.disturbsLines {
        line += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
    return isShort ? line : line + "…"
  }

  /// The text in quotes, for the middle of a sentence.
  var quoted: String { "'\(asLine(longest: 60))'" }
}

extension Unicode.Scalar {
  fileprivate var disturbsLines: Bool {
    if isASCII { return value < 32 || value == 127 }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

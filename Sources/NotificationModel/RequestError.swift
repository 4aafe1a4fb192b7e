// SPDX-License-Identifier: Apache-2.0

/// A request that cannot be taken: which key, and what was expected of it.
public struct RequestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where in the request: `title`, `actions[1].url`. Empty where it is the request as a whole.
  public let key: String
  /// What would have been right, or what is wrong.
  public let problem: String

  /// Whether it is the key that is wrong, and not its value.
  public let isAboutKey: Bool

  /// Names both; each becomes a line of bearable length, since they may quote what somebody sent.
  public init(_ key: String, _ problem: String, isAboutKey: Bool = false) {
    self.key = Self.line(key)
    self.problem = problem.asLine(longest: 300)
    self.isAboutKey = isAboutKey
  }

  /// The same, of the request with this number in a list.
  func inRequest(_ index: Int) -> RequestError {
    RequestError(key.isEmpty ? "[\(index)]" : "[\(index)].\(key)", problem, isAboutKey: isAboutKey)
  }

  /// A key path as an error has it. A request's number stands before it, and is not counted.
  static func line(_ key: String) -> String {
    guard key.first == "[", let end = key.firstIndex(of: ".") else { return key.asLine(longest: 120) }
    let rest = String(key[end...])
    // Escapes have made it longer, or will.
    return key[..<end] + (rest.last == "…" ? rest : rest.asLine(longest: 121))
  }

  /// One line for a person.
  public var description: String { key.isEmpty ? problem : "'\(key)' \(problem)" }
}

extension String {
  /// Shortened, and with what would break the line, or turn the writing round, shown as an escape.
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

  /// For the middle of a sentence.
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

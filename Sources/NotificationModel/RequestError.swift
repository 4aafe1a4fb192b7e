// SPDX-License-Identifier: Apache-2.0

/// A request that cannot be taken: which key, and what was expected of it.
public struct RequestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where in the request: `title`, `actions[1].url`. Empty where it is the request as a whole.
  public let key: String
  /// What would have been right, or what is wrong.
  public let problem: String

  /// Names both; each becomes a line of bearable length, since they may quote what somebody sent.
  public init(_ key: String, _ problem: String) {
    self.key = key.asLine(longest: 120)
    self.problem = problem.asLine(longest: 300)
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

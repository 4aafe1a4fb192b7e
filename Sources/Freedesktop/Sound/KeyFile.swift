// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// A settings file with sections and keys: `[Section]`, `key=value`, `# comment`.
struct KeyFile {
  private var values: [String: [String: String]] = [:]

  /// Reads a file; nil if it is missing or larger than 1 MiB.
  init?(_ path: String) {
    guard let bytes = try? RegularFile.read(path, limit: 1 << 20) else { return nil }
    var section = ""
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let line = Self.trimmed(line)
      if line.hasPrefix("[") && line.hasSuffix("]") {
        section = String(line.dropFirst().dropLast())
      } else if let split = line.firstIndex(of: "="), !line.hasPrefix("#") {
        let key = String(Self.trimmed(line[..<split]))
        values[section, default: [:]][key] = String(Self.trimmed(line[line.index(after: split)...]))
      }
    }
  }

  /// The value of a key.
  subscript(section: String, key: String) -> String? { values[section]?[key] }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}

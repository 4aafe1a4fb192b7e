// SPDX-License-Identifier: Apache-2.0

/// The URL schemes in a text that the user wrote: one per line, with comments after `#`.
public struct SchemeList: Hashable, Sendable {
  /// The schemes in lower case, without `:` and slashes.
  public let schemes: Set<String>

  /// Reads a text.
  public init(_ text: String) {
    schemes = Set(
      text.split(whereSeparator: \.isNewline).compactMap { line in
        let word = line.prefix { $0 != "#" }.filter { $0 != " " && $0 != "\t" && $0 != ":" && $0 != "/" }
        return word.isEmpty ? nil : word.lowercased()
      })
  }
}

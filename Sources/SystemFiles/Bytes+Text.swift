// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
  /// Appends the characters of a text, in UTF-8.
  package mutating func append(charactersOf text: String) {
    // Never nil for a native Swift string; others are copied byte by byte.
    if text.utf8.withContiguousStorageIfAvailable({ append(contentsOf: $0) }) == nil { append(contentsOf: text.utf8) }
  }
}

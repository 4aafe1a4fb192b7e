// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension String {
  /// Whether the text holds a NUL, which neither the bus nor an argument of a program can represent.
  package var holdsNUL: Bool {
    // Long texts are searched a vector at a time; those that are not stored as UTF-8 byte by byte.
    utf8.withContiguousStorageIfAvailable { bytes in
      bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
    } ?? utf8.contains(0)
  }
}

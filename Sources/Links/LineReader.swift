// SPDX-License-Identifier: Apache-2.0

/// Divides what arrives into lines, and keeps no more than one line of the longest permitted length.
package struct LineReader {
  /// A line without its end.
  package enum Line: Hashable, Sendable {
    case bytes([UInt8])
    /// The line was longer than the limit, and is forgotten.
    case tooLong
  }

  private let longest: Int
  private var line: [UInt8] = []
  private var isTooLong = false

  /// - Parameter longest: the limit in bytes.
  package init(longest: Int) { self.longest = longest }

  /// The bytes that are kept.
  package var count: Int { line.count }

  /// Takes what has arrived, and calls `handle` with each line that is complete; empty ones are left out.
  package mutating func read(_ bytes: UnsafeRawBufferPointer, _ handle: (Line) -> Void) {
    var rest = bytes[...]
    while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
      take(rest[..<newline])
      rest = rest[(newline + 1)...]
      if isTooLong {
        handle(.tooLong)
      } else if !line.isEmpty {
        handle(.bytes(line))
      }
      line.removeAll(keepingCapacity: true)
      isTooLong = false
    }
    take(rest)
  }

  private mutating func take(_ bytes: Slice<UnsafeRawBufferPointer>) {
    if isTooLong { return }
    guard bytes.count <= longest - line.count else {
      isTooLong = true
      line = []
      return
    }
    line.append(contentsOf: bytes)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Finds the last line of a program's output, from its end: the output may have many megabytes, and the loop waits
/// meanwhile.
enum LastLine {
  /// The maximum number of characters that are kept of a line.
  private static let longest = 200
  /// The number of bytes that are decoded of a line; enough for that many characters, unless they are absurdly long.
  private static let mostBytes = 16 << 10

  /// The last line that is not empty; empty if there is none.
  static func of(_ output: [UInt8]) -> String {
    var end = output.endIndex
    while let newline = newline(before: end, in: output) { end -= newline }
    var start = end
    while start > output.startIndex, newline(before: start, in: output) == nil { start -= 1 }
    let line = output[start..<end].prefix(mostBytes)
    return String(String(decoding: line, as: UTF8.self).prefix(longest))
  }

  /// The number of bytes of the newline that ends at an index; nil if none does.
  private static func newline(before end: Int, in output: [UInt8]) -> Int? {
    guard end > output.startIndex else { return nil }
    switch output[end - 1] {
    case 0x0A...0x0D: return 1
    case 0x85: return end > 1 && output[end - 2] == 0xC2 ? 2 : nil  // U+0085
    case 0xA8, 0xA9: return end > 2 && output[end - 2] == 0x80 && output[end - 3] == 0xE2 ? 3 : nil  // U+2028, U+2029
    default: return nil
    }
  }
}

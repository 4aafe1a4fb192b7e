// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// The colours of a screen, read from a portable pixmap.
struct Pixels: Equatable {
  let width: Int, height: Int
  private let bytes: Data

  init(contentsOf file: String) throws {
    let data = try Data(contentsOf: URL(filePath: file))
    // "P6", width, height and maximum value, then three bytes per pixel.
    let words = data.prefix(64).split(maxSplits: 4, whereSeparator: { $0 == 10 || $0 == 32 })
    let numbers = words.dropFirst().prefix(3).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    guard words.first == Data("P6".utf8), numbers.count == 3, data.count >= 3 * numbers[0] * numbers[1] else {
      throw TestFailure("\(file) is no picture")
    }
    (width, height) = (numbers[0], numbers[1])
    bytes = data.suffix(3 * width * height)
  }

  /// A pixel's colour as 0xRRGGBB.
  subscript(x: Int, y: Int) -> UInt32 {
    let start = bytes.startIndex + 3 * (y * width + x)
    return bytes[start..<start + 3].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The vertical runs in a column with only these colours, from top to bottom.
  func stretches(inColumn x: Int, of colours: Set<UInt32>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start: Int?
    for y in 0...height {
      let fits = y < height && colours.contains(self[x, y])
      if fits, start == nil { start = y }
      if !fits, let first = start {
        found.append(first..<y)
        start = nil
      }
    }
    return found
  }
}

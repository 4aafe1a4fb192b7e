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

  /// The rectangle that stands out from the ground in a column; nil if there is none.
  func box(atColumn x: Int, on ground: UInt32) -> Box? {
    let rows = (0..<height).filter { self[x, $0] != ground }
    guard let top = rows.first, let bottom = rows.last else { return nil }
    let columns = (0..<width).filter { self[$0, (top + bottom) / 2] != ground }
    guard let left = columns.first, let right = columns.last else { return nil }
    return Box(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
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

// SPDX-License-Identifier: Apache-2.0

/// A decoded picture: red, green and blue, and perhaps opacity, one byte each, row by row.
struct Pixels: Equatable, Sendable {
  /// The most pixels of a picture that is read at all: decoded, they take 16 MiB.
  static let most = 4 << 20

  let width, height: Int
  /// Bytes from the beginning of one row to that of the next; may be more than those of the pixels.
  private let stride: Int
  /// Three, or four with opacity.
  private let channels: Int
  private let bytes: [UInt8]

  /// Nil if the numbers are out of range, or do not fit together or to the bytes.
  init?(width: Int, height: Int, stride: Int, channels: Int, bytes: [UInt8]) {
    // Checked one by one, so that no product overflows.
    guard Self.isPermitted(width: width, height: height), channels == 3 || channels == 4,
      stride >= width * channels, stride <= 1 << 30, (height - 1) * stride + width * channels <= bytes.count
    else { return nil }
    (self.width, self.height, self.stride, self.channels, self.bytes) = (width, height, stride, channels, bytes)
  }

  static func isPermitted(width: Int, height: Int) -> Bool {
    1...most ~= width && 1...most ~= height && width * height <= most
  }

  /// The four bytes of a pixel.
  subscript(column: Int, row: Int) -> (red: UInt8, green: UInt8, blue: UInt8, opacity: UInt8) {
    let start = row * stride + column * channels
    return (bytes[start], bytes[start + 1], bytes[start + 2], channels == 4 ? bytes[start + 3] : 255)
  }

  /// The picture in the largest size with these proportions that fits; never larger than it is.
  ///
  /// Each pixel is the mean of those that it stands for, weighted by their opacity, so that what is invisible adds no
  /// colour. The result has four bytes for each pixel, and nothing between the rows.
  func scaled(toFit limit: (width: Int, height: Int)) -> Pixels {
    let size = Self.size(of: (width, height), in: limit)
    var result: [UInt8] = []
    result.reserveCapacity(size.width * size.height * 4)
    bytes.withUnsafeBufferPointer { bytes in
      for row in 0..<size.height {
        let rows = Self.part(row, of: size.height, from: height)
        for column in 0..<size.width {
          let columns = Self.part(column, of: size.width, from: width)
          var (red, green, blue, opacity) = (0, 0, 0, 0)
          for y in rows {
            var start = y * stride + columns.lowerBound * channels
            for _ in columns {
              let weight = channels == 4 ? Int(bytes[start + 3]) : 255
              red += Int(bytes[start]) * weight
              green += Int(bytes[start + 1]) * weight
              blue += Int(bytes[start + 2]) * weight
              opacity += weight
              start += channels
            }
          }
          let visible = max(opacity, 1)
          result.append(UInt8((red + visible / 2) / visible))
          result.append(UInt8((green + visible / 2) / visible))
          result.append(UInt8((blue + visible / 2) / visible))
          result.append(UInt8(opacity / (rows.count * columns.count)))
        }
      }
    }
    // A picture in range, because it is no larger than this one.
    return Pixels(
      width: size.width, height: size.height, stride: size.width * 4, channels: 4, bytes: result)!
  }

  /// The bytes of a picture from ``scaled(toFit:)``.
  var packed: [UInt8] { bytes }

  /// The size with the proportions of `size` that fits into `limit`; never larger than `size`.
  static func size(
    of size: (width: Int, height: Int), in limit: (width: Int, height: Int)
  ) -> (width: Int, height: Int) {
    let (width, height) = (max(min(limit.width, size.width), 1), max(min(limit.height, size.height), 1))
    // Compares width / size.width with height / size.height.
    if width * size.height <= height * size.width {
      return (width, max((size.height * width + size.width / 2) / size.width, 1))
    }
    return (max((size.width * height + size.height / 2) / size.height, 1), height)
  }

  /// The pixels of `all` for which one of `count` stands: at least one.
  private static func part(_ index: Int, of count: Int, from all: Int) -> Range<Int> {
    index * all / count..<max((index + 1) * all / count, index * all / count + 1)
  }
}

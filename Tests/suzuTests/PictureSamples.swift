// SPDX-License-Identifier: Apache-2.0
import DBus
import Testing

@testable import suzu

/// Pictures for tests.
enum PictureSamples {
  /// Red, green, blue and opacity of a pixel.
  typealias Pixel = (UInt8, UInt8, UInt8, UInt8)

  static func bytes(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> Pixel) -> [UInt8] {
    var bytes: [UInt8] = []
    for row in 0..<height {
      for column in 0..<width {
        let pixel = pixel(column, row)
        bytes += [pixel.0, pixel.1, pixel.2, pixel.3]
      }
    }
    return bytes
  }

  static func pixels(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> Pixel) throws -> Pixels {
    let bytes = bytes(width, height, pixel)
    return try #require(Pixels(width: width, height: height, stride: width * 4, channels: 4, bytes: bytes))
  }

  /// Four squares: red, green, blue, and one that is invisible.
  static func squares(_ column: Int, _ row: Int, of size: Int) -> Pixel {
    switch (column < size / 2, row < size / 2) {
    case (true, true): (255, 0, 0, 255)
    case (false, true): (0, 255, 0, 255)
    case (true, false): (0, 0, 255, 255)
    case (false, false): (255, 255, 255, 0)
    }
  }

  static func squares(_ size: Int) throws -> Pixels { try pixels(size, size) { squares($0, $1, of: size) } }

  /// The hint `image-data`.
  static func hint(
    _ width: Int32, _ height: Int32, stride: Int32, opacity: Bool = true, bits: Int32 = 8, channels: Int32 = 4,
    _ bytes: [UInt8]
  ) -> Value {
    .structure([
      .int32(width), .int32(height), .int32(stride), .boolean(opacity), .int32(bits), .int32(channels), .bytes(bytes),
    ])
  }

  // MARK: PNG

  /// A file with red, green, blue and opacity, written by the specification and not by libpng.
  static func png(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> Pixel) -> [UInt8] {
    let all = bytes(width, height, pixel)
    // Each row begins with the number of its filter.
    let rows = (0..<height).flatMap { [0 as UInt8] + all[$0 * width * 4..<($0 + 1) * width * 4] }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + header(UInt32(width), UInt32(height))
      + chunk("IDAT", stored(rows)) + chunk("IEND", [])
  }

  static func header(_ width: UInt32, _ height: UInt32) -> [UInt8] {
    chunk("IHDR", big(width) + big(height) + [8, 6, 0, 0, 0])
  }

  static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    big(UInt32(data.count)) + Array(name.utf8) + data + big(checksum(Array(name.utf8) + data))
  }

  static func big(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }

  /// RFC 1950 with the blocks of RFC 1951 that are not compressed.
  private static func stored(_ data: [UInt8]) -> [UInt8] {
    var output: [UInt8] = [0x78, 0x01]
    var rest = data[...]
    repeat {
      let part = rest.prefix(65_535)
      rest = rest.dropFirst(65_535)
      let (low, high) = (UInt8(part.count & 255), UInt8(part.count >> 8))
      output += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + part
    } while !rest.isEmpty
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in data {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return output + big(b << 16 | a)
  }

  private static func checksum(_ data: [UInt8]) -> UInt32 {
    ~data.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Reads big-endian numbers from the front of a file's bytes.
struct ByteReader: ~Copyable {
  private let bytes: [UInt8]
  private(set) var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var left: Int { bytes.count - place }

  /// Checks that `count` bytes are available; callers must do so before using the methods below.
  func require(_ count: Int, for what: String) throws(ZoneError) {
    if count > left {
      throw .damaged("it is truncated: \(what) needs \(count) bytes from byte \(place), and \(left) are left")
    }
  }

  mutating func skip(_ count: Int) { place += count }

  mutating func byte() -> UInt8 {
    place += 1
    return bytes[place - 1]
  }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8> {
    place += count
    return bytes[place - count..<place]
  }

  mutating func integer<Number: FixedWidthInteger>(_: Number.Type) -> Number {
    var number: Number = 0
    for byte in bytes(MemoryLayout<Number>.size) { number = number << 8 | Number(truncatingIfNeeded: byte) }
    return number
  }
}

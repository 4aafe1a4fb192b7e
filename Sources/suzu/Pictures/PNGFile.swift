// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// A picture in the Portable Network Graphics format (https://www.w3.org/TR/png-3/), not decoded.
struct PNGFile: Equatable, Sendable {
  /// The largest file that is read.
  static let longest = 8 << 20

  let width, height: Int
  let bytes: [UInt8]

  /// Nil if the bytes do not begin as such a file does, or if it has too many pixels.
  init?(_ bytes: [UInt8]) {
    let beginning: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
    // The header has 13 bytes and a checksum; a file without pixels is even longer.
    guard bytes.count <= Self.longest, bytes.count > 33, bytes.starts(with: beginning) else { return nil }
    func number(_ start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    (width, height, self.bytes) = (number(16), number(20), bytes)
    guard Pixels.isPermitted(width: width, height: height) else { return nil }
  }

  /// Nil if the path leads to no such file; other files are not read to their ends.
  init?(at path: String) {
    guard path.hasPrefix("/") else { return nil }
    do throws(FileError) {
      let file = try RegularFile(path)
      guard file.status.size <= Self.longest else { return nil }
      self.init(try file.readWhole(limit: Self.longest))
    } catch {
      return nil
    }
  }
}

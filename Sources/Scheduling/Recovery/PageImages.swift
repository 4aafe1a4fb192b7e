// SPDX-License-Identifier: Apache-2.0

/// The pages of an SQLite file and its -wal, [read](https://www.sqlite.org/fileformat2.html) without trusting either.
///
/// A frame of the -wal can be checked alone: its checksum continues the one stored in the frame before. So one damaged
/// frame does not cost the frames after it, which SQLite would ignore.
struct PageImages {
  static let pageSize = 4096
  private static let frameSize = pageSize + 24
  private let database: String
  private let log: String
  /// The number of pages in the file and in the frames.
  let count: Int
  /// The positions of a page's images in the -wal: the last good one, and the damaged ones after it.
  private var frames: [Int: [Int64]] = [:]
  /// Pages with a good image in the -wal, which makes the file's own one out of date.
  private var superseded: Set<Int> = []

  init(database: String, log: String) {
    self.database = database
    self.log = log
    let pages = (Int(StoreFiles.size(of: database) ?? 0) + Self.pageSize - 1) / Self.pageSize
    count = pages
    let found = Self.scan(log)
    let end = found.lastIndex { $0.isCommit || !$0.isGood }.map { $0 + 1 } ?? 0
    for frame in found[..<end] {
      if frame.isGood {
        frames[frame.page] = [frame.offset]
        superseded.insert(frame.page)
      } else {
        frames[frame.page, default: []].append(frame.offset)
      }
    }
  }

  /// Every page of the file and of the -wal.
  var pages: [Int] {
    let beyond = frames.keys.filter { $0 > count || $0 < 1 }.sorted()
    return Array(1..<(count + 1)) + beyond
  }

  /// The images of a page, oldest first; several only if the newest is damaged.
  func images(of page: Int) -> [[UInt8]] {
    var images: [[UInt8]] = []
    if !superseded.contains(page), page >= 1, page <= count {
      images.append(read(database, at: Int64(page - 1) * Int64(Self.pageSize)))
    }
    for offset in frames[page] ?? [] { images.append(read(log, at: offset + 24)) }
    return images
  }

  private func read(_ path: String, at offset: Int64) -> [UInt8] {
    let bytes = StoreFiles.read(path, at: offset, count: Self.pageSize) ?? []
    return bytes + [UInt8](repeating: 0, count: Self.pageSize - bytes.count)
  }

  private struct Frame {
    let page: Int
    let offset: Int64
    let isCommit: Bool
    let isGood: Bool
  }

  private static func scan(_ log: String) -> [Frame] {
    guard let size = StoreFiles.size(of: log), size >= 32 + 24,
      let header = StoreFiles.read(log, count: 32), header.count == 32
    else { return [] }
    let isBigEndian = header.bigEndian(at: 0) & 1 == 1
    var checksum = LogChecksum(isBigEndian: isBigEndian)
    checksum.add(header[..<24])
    let isHeaderGood =
      header.bigEndian(at: 0) & ~1 == 0x377F_0682
      && checksum.first == header.bigEndian(at: 24) && checksum.second == header.bigEndian(at: 28)
    // Frames of an earlier round, further back in the file, have another salt.
    let salts = (0..<3).compactMap { StoreFiles.read(log, at: 32 + Int64($0 * frameSize) + 8, count: 8) }
    let salt =
      isHeaderGood
      ? Array(header[16..<24]) : salts.max { one, two in salts.count { $0 == one } < salts.count { $0 == two } }
    // Without the header, assume the byte order of this machine.
    checksum = LogChecksum(isBigEndian: isHeaderGood ? isBigEndian : Int(1).bigEndian == 1)
    checksum.first = header.bigEndian(at: 24)
    checksum.second = header.bigEndian(at: 28)

    var frames: [Frame] = []
    var ours = 0
    for offset in stride(from: Int64(32), through: size - 24, by: frameSize) {
      guard let bytes = StoreFiles.read(log, at: offset, count: frameSize), bytes.count > 24 else { break }
      if bytes.count == frameSize {
        checksum.add(bytes[..<8])
        checksum.add(bytes[24...])
      }
      let hasSalt = Array(bytes[8..<16]) == salt
      let isGood =
        hasSalt && bytes.count == frameSize && checksum.first == bytes.bigEndian(at: 16)
        && checksum.second == bytes.bigEndian(at: 20)
      frames.append(
        Frame(
          page: Int(bytes.bigEndian(at: 0)), offset: offset, isCommit: isGood && bytes.bigEndian(at: 4) != 0,
          isGood: isGood))
      checksum.first = bytes.bigEndian(at: 16)
      checksum.second = bytes.bigEndian(at: 20)
      if hasSalt { ours = frames.count }
    }
    return Array(frames[..<ours])
  }
}

/// The checksum of the -wal: two sums over pairs of 32-bit words, each added to the other.
private struct LogChecksum {
  let isBigEndian: Bool
  var first: UInt32 = 0
  var second: UInt32 = 0

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { bytes in
      for index in stride(from: 0, to: bytes.count - 7, by: 8) {
        let one = bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)
        let two = bytes.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self)
        first &+= (isBigEndian ? UInt32(bigEndian: one) : UInt32(littleEndian: one)) &+ second
        second &+= (isBigEndian ? UInt32(bigEndian: two) : UInt32(littleEndian: two)) &+ first
      }
    }
  }
}

extension [UInt8] {
  /// Four bytes, most significant first.
  func bigEndian(at index: Int) -> UInt32 {
    guard index >= 0, index + 4 <= count else { return 0 }
    return self[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}

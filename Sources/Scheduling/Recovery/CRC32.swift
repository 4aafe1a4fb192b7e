// SPDX-License-Identifier: Apache-2.0
internal import CChecksum

/// The cyclic redundancy check of zip and Ethernet (polynomial 0xEDB88320): detects accidental changes on disk or in
/// memory.
package struct CRC32 {
  private var register: UInt32 = 0xFFFF_FFFF
  /// Bytes that are not in the register yet. The numbers of a row are gathered, because each alone is too short to
  /// fold.
  private var gathered = InlineArray<16, UInt64>(repeating: 0)
  private var count = 0
  private static let room = MemoryLayout<InlineArray<16, UInt64>>.size

  package init() {}

  package var value: UInt32 {
    var all = self
    all.takeGathered()
    return ~all.register
  }

  /// Whether the processor multiplies without carries.
  private static let canFold = checksum_can_fold()
  /// The fewest bytes that ``checksum_fold`` takes.
  private static let fewestFolded = 64

  /// Eight tables, to process eight bytes at a time: row k is the effect of a byte that k others follow.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var entry = UInt32(byte)
      for _ in 0..<8 { entry = entry & 1 == 1 ? 0xEDB8_8320 ^ (entry >> 1) : entry >> 1 }
      tables[byte] = entry
    }
    for index in 256..<tables.count {
      let before = tables[index - 256]
      tables[index] = tables[Int(before & 0xFF)] ^ (before >> 8)
    }
    return tables
  }()

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    if bytes.count > Self.room - count {
      takeGathered()
      if bytes.count > Self.room { return take(bytes) }
    }
    withUnsafeMutableBytes(of: &gathered) {
      UnsafeMutableRawBufferPointer(rebasing: $0[count...]).copyMemory(from: bytes)
    }
    count += bytes.count
  }

  private mutating func takeGathered() {
    let bytes = gathered
    withUnsafeBytes(of: bytes) { take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    count = 0
  }

  /// Whole blocks of 16 bytes are folded where the processor can do that.
  private mutating func take(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.fewestFolded, Self.canFold, let start = bytes.baseAddress else {
      return addByTable(bytes)
    }
    let folded = bytes.count & ~15
    register = checksum_fold(register, start.assumingMemoryBound(to: UInt8.self), folded)
    addByTable(UnsafeRawBufferPointer(rebasing: bytes[folded...]))
  }

  package mutating func addByTable(_ bytes: UnsafeRawBufferPointer) {
    var register = register
    Self.tables.withUnsafeBufferPointer { tables in
      var index = 0
      while index + 8 <= bytes.count {
        let low = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)) ^ register
        let high = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self))
        register =
          tables[1792 + Int(low & 0xFF)] ^ tables[1536 + Int(low >> 8 & 0xFF)] ^ tables[1280 + Int(low >> 16 & 0xFF)]
          ^ tables[1024 + Int(low >> 24)]
        register ^=
          tables[768 + Int(high & 0xFF)] ^ tables[512 + Int(high >> 8 & 0xFF)] ^ tables[256 + Int(high >> 16 & 0xFF)]
          ^ tables[Int(high >> 24)]
        index += 8
      }
      while index < bytes.count {
        register = tables[Int((register ^ UInt32(bytes[index])) & 0xFF)] ^ (register >> 8)
        index += 1
      }
    }
    self.register = register
  }

  mutating func add(number integer: UInt64) {
    if count > Self.room - 8 { takeGathered() }
    withUnsafeMutableBytes(of: &gathered) {
      $0.storeBytes(of: integer.littleEndian, toByteOffset: count, as: UInt64.self)
    }
    count += 8
  }
}

extension CRC32 {
  /// Adds a value with its type and length, so that different rows never have the same bytes.
  mutating func add(_ value: SQLValue) {
    switch value {
    case .null: add(number: 0)
    case .integer(let integer):
      add(number: 1)
      add(number: UInt64(bitPattern: integer))
    case .real(let real):
      add(number: 2)
      add(number: real.bitPattern)
    case .text(var text):
      text.withUTF8 { utf8 in
        add(number: UInt64(utf8.count) << 8 | 3)
        add(UnsafeRawBufferPointer(utf8))
      }
    case .blob(let blob):
      add(number: UInt64(blob.count) << 8 | 4)
      blob.withUnsafeBytes { add($0) }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Scheduling
import TestSupport
import Testing

/// Tests the checksum of rows.
@Suite struct CRC32Tests {
  @Test func `The checksum is that of zip`() {
    #expect(checksum(Array("123456789".utf8)) == 0xCBF4_3926)
    // Long enough to be folded.
    #expect(checksum([UInt8](repeating: 0, count: 1 << 10)) == 0xEFB5_AF2E)
  }

  @Test func `Every length and position gives the same checksum by tables and by the processor`() {
    var numbers = SeededNumbers(seed: 3)
    let bytes = (0..<700).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    for length in 0..<300 {
      let start = length % 17
      bytes[start..<start + length].withUnsafeBytes { part in
        var (fast, slow) = (CRC32(), CRC32())
        fast.add(part)
        slow.addByTable(part)
        #expect(fast.value == slow.value, "\(length) bytes")
        // The register continues from one part to the next.
        bytes.withUnsafeBytes { fast.add($0) }
        bytes.withUnsafeBytes { slow.addByTable($0) }
        #expect(fast.value == slow.value, "\(length) bytes and \(bytes.count) more")
      }
    }
  }

  @Test func `Short parts of any length give the same checksum as the whole`() {
    var numbers = SeededNumbers(seed: 4)
    let bytes = (0..<2000).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    for round in 0..<200 {
      let whole = bytes.prefix(round * 10)
      var crc = CRC32()
      var rest = whole[...]
      while !rest.isEmpty {
        let part = rest.prefix(Int.random(in: 0...(round.isMultiple(of: 2) ? 17 : 300), using: &numbers))
        part.withUnsafeBytes { crc.add($0) }
        rest = rest.dropFirst(part.count)
      }
      var expected = CRC32()
      whole.withUnsafeBytes { expected.addByTable($0) }
      #expect(crc.value == expected.value, "\(whole.count) bytes")
    }
  }

  private func checksum(_ bytes: [UInt8]) -> UInt32 {
    var crc = CRC32()
    bytes.withUnsafeBytes { crc.add($0) }
    return crc.value
  }
}

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

  private func checksum(_ bytes: [UInt8]) -> UInt32 {
    var crc = CRC32()
    bytes.withUnsafeBytes { crc.add($0) }
    return crc.value
  }
}

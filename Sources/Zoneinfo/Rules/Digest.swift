// SPDX-License-Identifier: Apache-2.0

/// FNV-1a: the same in every process, unlike Swift's own hashes. Not against somebody who wants two to be alike.
struct Digest {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  mutating func add(_ number: Int64) {
    withUnsafeBytes(of: number.littleEndian) { add($0) }
  }
}

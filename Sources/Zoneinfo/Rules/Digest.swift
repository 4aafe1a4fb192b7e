// SPDX-License-Identifier: Apache-2.0

/// An FNV-1a hash: stable across processes, unlike Swift's own hashes. Not resistant to deliberate collisions.
struct Digest {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  mutating func add(_ number: Int64) {
    withUnsafeBytes(of: number.littleEndian) { add($0) }
  }
}

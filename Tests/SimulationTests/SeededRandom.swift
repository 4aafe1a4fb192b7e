// SPDX-License-Identifier: Apache-2.0

/// Random numbers that a seed decides (SplitMix64), the same on every machine and with every Swift.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  /// Numbers of their own for a part of the simulation, which do not change when another part takes more of them.
  init(_ seed: UInt64, for part: String) {
    // FNV-1a: a `Hasher` has another seed in each process.
    state = part.utf8.reduce(seed ^ 0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in a range. The standard library may choose its way to one anew in a later version.
  mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + Int64(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int(number(Int64(range.lowerBound)...Int64(range.upperBound)))
  }

  mutating func isTrue(in hundred: Int) -> Bool { number(0...99) < hundred }

  mutating func element<T>(_ elements: [T]) -> T { elements[number(0...elements.count - 1)] }
}

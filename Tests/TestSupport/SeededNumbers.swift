// SPDX-License-Identifier: Apache-2.0

/// A random generator that gives the same numbers for the same seed, so that a failure can be repeated
/// ([SplitMix64](https://prng.di.unimi.it/splitmix64.c)).
public struct SeededNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Begins with a seed.
  public init(seed: UInt64) { state = seed }

  /// The next bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A set of small numbers, 0 to 63, as bits: minutes, or days of a month.
struct BitSet: Hashable, Sendable {
  var bits: UInt64

  static let none = BitSet(bits: 0)

  init(bits: UInt64) { self.bits = bits }

  /// Creates a set of all numbers of a range within 0...63.
  init(_ range: ClosedRange<Int>) {
    bits = (UInt64.max >> UInt64(63 - range.upperBound + range.lowerBound)) << UInt64(range.lowerBound)
  }

  init(_ numbers: some Sequence<Int>) {
    bits = numbers.reduce(0) { $0 | 1 << UInt64($1) }
  }

  var isEmpty: Bool { bits == 0 }
  var count: Int { bits.nonzeroBitCount }
  /// 64 if the set is empty.
  var first: Int { bits.trailingZeroBitCount }

  func contains(_ number: Int) -> Bool { bits & (1 << UInt64(number)) != 0 }

  /// The smallest number that is not below `number`.
  func first(from number: Int) -> Int? {
    guard number < 64 else { return nil }
    let rest = bits & (UInt64.max << UInt64(number))
    return rest == 0 ? nil : rest.trailingZeroBitCount
  }

  /// The count of numbers below `number`.
  func count(below number: Int) -> Int {
    number >= 64 ? count : (bits & ~(UInt64.max << UInt64(number))).nonzeroBitCount
  }

  /// The number with that many below it; it must exist.
  func element(at rank: Int) -> Int {
    var rest = bits
    for _ in 0..<rank { rest &= rest &- 1 }
    return rest.trailingZeroBitCount
  }

  mutating func insert(_ number: Int) { bits |= 1 << UInt64(number) }

  static func & (left: BitSet, right: BitSet) -> BitSet { BitSet(bits: left.bits & right.bits) }
  static func | (left: BitSet, right: BitSet) -> BitSet { BitSet(bits: left.bits | right.bits) }
}

extension BitSet: Sequence {
  /// In ascending order.
  func makeIterator() -> some IteratorProtocol<Int> {
    var rest = bits
    return AnyIterator {
      guard rest != 0 else { return nil }
      defer { rest &= rest &- 1 }
      return rest.trailingZeroBitCount
    }
  }
}

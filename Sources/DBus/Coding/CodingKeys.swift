// SPDX-License-Identifier: Apache-2.0

/// How many containers a coded value may nest, so that hostile input cannot exhaust the stack.
let deepestCoding = 64

/// A place in an array; small enough to stand in an `any CodingKey` without an allocation.
struct IndexKey: CodingKey {
  let index: Int

  init(_ index: Int) { self.index = index }
  init?(intValue: Int) { index = intValue }
  init?(stringValue: String) { return nil }

  var intValue: Int? { index }
  var stringValue: String { "\(index)" }
}

/// A key of a dictionary whose keys are not known beforehand.
struct NameKey: CodingKey {
  let stringValue: String

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { stringValue = "\(intValue)" }

  var intValue: Int? { nil }
}

/// Where the part of a superclass is kept, as Swift's own coders have it.
enum SuperKey: String, CodingKey {
  case `super`
}

// SPDX-License-Identifier: Apache-2.0

/// The deepest nesting of containers in a coded value, so that hostile input cannot exhaust the stack.
let deepestCoding = 64

/// An index in an array; small enough to be stored in an `any CodingKey` without an allocation.
struct IndexKey: CodingKey {
  let index: Int

  init(_ index: Int) { self.index = index }
  init?(intValue: Int) { index = intValue }
  init?(stringValue: String) { return nil }

  var intValue: Int? { index }
  var stringValue: String { "\(index)" }
}

/// A key of a dictionary with arbitrary keys.
struct NameKey: CodingKey {
  let stringValue: String

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { stringValue = "\(intValue)" }

  var intValue: Int? { nil }
}

/// The key for a superclass, as in Swift's own coders.
enum SuperKey: String, CodingKey {
  case `super`
}

// SPDX-License-Identifier: Apache-2.0

/// A parser that reads bytes from outside, with the checks of what it returns.
///
/// The same surfaces are run by `swift test`, on the corpus and on mutations of it, and by `make fuzz`, on what
/// libFuzzer finds.
struct Surface: Sendable {
  let name: String
  /// Reads the bytes; returns whether they were accepted.
  ///
  /// - Throws: ``Surprise`` if the result contradicts the input or itself.
  let read: @Sendable ([UInt8]) throws(Surprise) -> Bool

  init(_ name: String, _ read: @escaping @Sendable ([UInt8]) throws(Surprise) -> Bool) {
    self.name = name
    self.read = read
  }

  /// A parser of text. Callers decode a text before they parse it: damaged parts become replacement characters.
  init(_ name: String, text read: @escaping @Sendable (String) throws(Surprise) -> Bool) {
    self.init(name) { bytes throws(Surprise) in try read(String(decoding: bytes, as: UTF8.self)) }
  }

  /// The longest input that is tried. Every surface has a limit of its own below or near it, or a step budget.
  static let longest = 4096
}

/// A result that contradicts its input or itself.
struct Surprise: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Throws unless `condition` holds.
  static func unless(_ condition: Bool, _ description: @autoclosure () -> String) throws(Surprise) {
    if !condition { throw Surprise(description()) }
  }
}

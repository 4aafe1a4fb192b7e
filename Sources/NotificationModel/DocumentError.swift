// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a text that should be JSON or a property list, and where.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where; nil where there are no lines, or it is about the whole.
  public let place: DocumentPlace?
  /// What was expected there.
  public let problem: String

  init(at place: DocumentPlace? = nil, _ problem: String) {
    self.place = place
    self.problem = problem
  }

  /// One line for a person.
  public var description: String { (place.map { "\($0): " } ?? "") + problem }
}

/// A place in a text.
public struct DocumentPlace: Hashable, Sendable, CustomStringConvertible {
  /// Counted from 1.
  public let line: Int
  /// In characters, counted from 1.
  public let column: Int

  /// The place of a byte.
  init(of position: Int, in bytes: [UInt8]) {
    let before = bytes[..<min(position, bytes.count)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    line = before.count { $0 == UInt8(ascii: "\n") } + 1
    column = String(decoding: before[lineStart...], as: UTF8.self).count + 1
  }

  /// As compilers say it: `line 7, column 12`.
  public var description: String { "line \(line), column \(column)" }
}

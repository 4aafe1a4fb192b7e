// SPDX-License-Identifier: Apache-2.0

/// A syntax error in JSON or a property list, with its position.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The position; nil for binary files, or if the error concerns the whole document.
  public let place: DocumentPlace?
  /// The problem in words.
  public let problem: String

  init(at place: DocumentPlace? = nil, _ problem: String) {
    self.place = place
    self.problem = problem
  }

  /// The problem of a file in a format that is not known.
  static let unknownFormat = "is neither JSON, a property list nor iCalendar"

  /// Whether the format of the file is not known.
  public var meansUnknownFormat: Bool { problem == Self.unknownFormat }

  /// The error in one line.
  public var description: String { (place.map { "\($0): " } ?? "") + problem }
}

/// A position in a text.
public struct DocumentPlace: Hashable, Sendable, CustomStringConvertible {
  /// Counted from 1.
  public let line: Int
  /// In characters, counted from 1.
  public let column: Int

  /// The position of a byte.
  init(of position: Int, in bytes: [UInt8]) {
    let before = bytes[..<min(position, bytes.count)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    line = before.count { $0 == UInt8(ascii: "\n") } + 1
    column = String(decoding: before[lineStart...], as: UTF8.self).count + 1
  }

  /// In the form compilers use: `line 7, column 12`.
  public var description: String { "line \(line), column \(column)" }
}

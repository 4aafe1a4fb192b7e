// SPDX-License-Identifier: Apache-2.0

/// A parsed JSON file or property list that can locate errors in its text.
public struct PlainDocument: Sendable {
  /// The parsed value.
  public let value: PlainValue
  private let bytes: [UInt8]

  /// Parses a file's content; the format is recognized by its first bytes.
  public init(_ bytes: [UInt8]) throws(DocumentError) {
    // Some editors begin a UTF-8 file with a byte order mark, which is no part of the text.
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    self.bytes = bytes
    if PropertyListReader.recognizes(bytes) {
      value = try PropertyListReader.read(bytes)
    } else {
      guard let text = String(validating: bytes, as: UTF8.self) else { throw Self.notText(bytes) }
      guard let first = bytes.first(where: { !PropertyListReader.isBlank($0) }) else {
        throw DocumentError("is empty")
      }
      do throws(DocumentError) { value = try JSONReader.read(text) } catch {
        // The error of a JSON text that begins like one has a place.
        if "{[\"".utf8.contains(first) { throw error }
        throw DocumentError(DocumentError.unknownFormat)
      }
    }
  }

  /// The error for bytes that are no UTF-8.
  static func notText(_ bytes: [UInt8]) -> DocumentError {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return DocumentError("is UTF-16 text; save it as UTF-8")
    }
    // The first byte that is replaced.
    let start = zip(bytes, String(decoding: bytes, as: UTF8.self).utf8).prefix { $0 == $1 }.count
    return DocumentError(at: DocumentPlace(of: start, in: bytes), "is not UTF-8 text")
  }

  /// The position of an error's value, or of the container that lacks it; nil in a binary property list.
  public func place(of error: RequestError) -> DocumentPlace? {
    guard PropertyListReader.recognizes(bytes) else {
      return JSONReader.place(of: error, in: String(decoding: bytes, as: UTF8.self))
    }
    return bytes.starts(with: "bplist".utf8) ? nil : XMLPropertyList.place(of: error, in: bytes)
  }

  /// Adds the position to an error.
  public func error(_ error: RequestError) -> DocumentError {
    DocumentError(at: place(of: error), error.description)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// What a file holds, be it JSON or a property list: a value, and where in the file each part of it stands.
public struct PlainDocument: Sendable {
  /// What it holds.
  public let value: PlainValue
  private let bytes: [UInt8]

  /// From a file's content; by what it begins with it is told what it is.
  public init(_ bytes: [UInt8]) throws(DocumentError) {
    self.bytes = bytes
    if PropertyListReader.recognizes(bytes) {
      value = try PropertyListReader.read(bytes)
    } else {
      guard let text = String(validating: bytes, as: UTF8.self) else { throw DocumentError("is not UTF-8 text") }
      value = try JSONReader.read(text)
    }
  }

  /// Where is what an error is about, or else what it should be in; nil in a binary property list.
  public func place(of error: RequestError) -> DocumentPlace? {
    guard PropertyListReader.recognizes(bytes) else {
      return JSONReader.place(of: error, in: String(decoding: bytes, as: UTF8.self))
    }
    return bytes.starts(with: "bplist".utf8) ? nil : XMLPropertyList.place(of: error, in: bytes)
  }

  /// The same error, with its place.
  public func error(_ error: RequestError) -> DocumentError {
    DocumentError(at: place(of: error), error.description)
  }
}

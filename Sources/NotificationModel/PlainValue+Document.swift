// SPDX-License-Identifier: Apache-2.0

extension PlainValue {
  /// What a file holds, be it JSON or a property list; by what it begins with it is told which.
  init(document bytes: [UInt8]) throws(DocumentError) {
    if PropertyListReader.recognizes(bytes) {
      self = try PropertyListReader.read(bytes)
    } else {
      guard let text = String(validating: bytes, as: UTF8.self) else { throw DocumentError("is not UTF-8 text") }
      self = try JSONReader.read(text)
    }
  }
}

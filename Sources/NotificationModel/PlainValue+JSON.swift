// SPDX-License-Identifier: Apache-2.0

extension PlainValue {
  /// The value as one line of JSON, keys in order, so that equal values make equal lines.
  public var json: String {
    var writer = JSONWriter()
    writer.add(self)
    return writer.text
  }
}

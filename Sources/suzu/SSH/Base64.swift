// SPDX-License-Identifier: Apache-2.0

/// The encoding of [RFC 4648](https://www.rfc-editor.org/rfc/rfc4648#section-4), with padding.
enum Base64 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encoded(_ bytes: some Collection<UInt8>) -> String {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    var rest = bytes.makeIterator()
    while let first = rest.next() {
      let (second, third) = (rest.next(), rest.next())
      let group = UInt32(first) << 16 | UInt32(second ?? 0) << 8 | UInt32(third ?? 0)
      result.append(letters[Int(group >> 18)])
      result.append(letters[Int(group >> 12 & 63)])
      result.append(second == nil ? UInt8(ascii: "=") : letters[Int(group >> 6 & 63)])
      result.append(third == nil ? UInt8(ascii: "=") : letters[Int(group & 63)])
    }
    return String(decoding: result, as: UTF8.self)
  }
}

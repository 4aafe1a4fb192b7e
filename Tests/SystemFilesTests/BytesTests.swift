// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SystemFiles

/// Tests texts written as bytes.
@Suite struct BytesTests {
  @Test(arguments: [0, 1, 9, 10, 99, 100, 1_790_000_000_000, -1, -10, .max, .min] as [Int64])
  func `The digits of a number are those of its description`(_ number: Int64) {
    var bytes = Array("a".utf8)
    bytes.append(digitsOf: number)
    #expect(String(decoding: bytes, as: UTF8.self) == "a\(number)")
  }

  @Test func `The characters of a text are its bytes`() {
    var bytes: [UInt8] = [0]
    for text in ["", "tea", "Grüße 🍵", String("substring".dropFirst(3))] { bytes.append(charactersOf: text) }
    #expect(bytes == [0] + Array("teaGrüße 🍵string".utf8))
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemFiles
import Testing

/// Percent-encoding, with Foundation as the oracle.
struct PercentCodingTests {
  private static let text = String(String.UnicodeScalarView((0...0x250).compactMap(Unicode.Scalar.init))) + "😀"

  private static func unreserved(and kept: String = "") -> CharacterSet {
    var set = CharacterSet(charactersIn: "-._~" + kept)
    for range in ["a"..."z", "A"..."Z", "0"..."9"] as [ClosedRange<Unicode.Scalar>] { set.insert(charactersIn: range) }
    return set
  }

  @Test(arguments: ["", "/", "/:@"]) func `Percent encoding matches Foundation`(kept: String) throws {
    let encoded = PercentCoding.encoded(Self.text, keeping: kept)
    #expect(encoded == Self.text.addingPercentEncoding(withAllowedCharacters: Self.unreserved(and: kept)))
    #expect(PercentCoding.decoded(encoded) == Array(Self.text.utf8))
    if kept.isEmpty { #expect(PercentCoding.encodedLength(Self.text) == encoded.utf8.count) }
  }

  @Test(arguments: ["%", "%4", "a%zz", "%%41", "%u0041", "%+1", "%-1", "% 1", "%4"])
  func `A broken percent sign is refused`(text: String) { #expect(PercentCoding.decoded(text) == nil) }

  @Test func `It is decoded once, and both cases of digits count`() {
    #expect(PercentCoding.decodedText("%2541%c3%A9") == "%41é")
  }

  @Test func `A text has no null character and is UTF-8`() {
    #expect(PercentCoding.decodedText("a%00b") == nil && PercentCoding.decodedText("a\0b") == nil)
    #expect(PercentCoding.decodedText("%ff") == nil && PercentCoding.decoded("%ff") == [255])
  }
}

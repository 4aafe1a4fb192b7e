// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import NotificationModel
import Testing

/// Tests plain values as JSON, on the bus and through Foundation.
@Suite struct PlainValueTests {
  @Test(
    arguments: [
      (
        .text("a\"\\/\n\r\t\u{8}\u{c}\u{0}\u{1f}\u{7f}\u{2028}\u{2029}é🫖"),
        "\"a\\\"\\\\/\\n\\r\\t\\u0008\\u000c\\u0000\\u001f\u{7f}\\u2028\\u2029é🫖\""
      ),
      (.flag(true), "true"), (.flag(false), "false"), (.integer(0), "0"), (.integer(.min), "-9223372036854775808"),
      (.number(0.5), "0.5"), (.number(1), "1.0"), (.number(-0.0), "-0.0"), (.number(1e300), "1e+300"),
      (.number(.leastNonzeroMagnitude), "5e-324"), (.number(.infinity), "null"), (.number(.nan), "null"),
      (.list([]), "[]"),
      (.dictionary([:]), "{}"), (.list([.integer(1), .list([.text("")])]), #"[1,[""]]"#),
      (.dictionary(["b": .integer(2), "a": .integer(1), "B": .flag(true)]), #"{"B":true,"a":1,"b":2}"#),
    ] as [(PlainValue, String)])
  func `A value is one line of JSON`(_ value: PlainValue, _ json: String) {
    #expect(value.json == json)
  }

  @Test func `Foundation reads our JSON`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<1_000 {
      let value = PlainValue.dictionary(PlainValue.randomDictionary(depth: 0, using: &random))
      let json = value.json
      #expect(!json.contains { $0.isNewline })
      #expect(try JSONReader.read(json) == value)
      let foundation = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary
      let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? NSDictionary
      #expect(foundation != nil && foundation == encoded)
    }
  }

  @Test func `Random values survive the bus and Foundation`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<1_000 {
      let value = PlainValue.random(depth: 0, using: &random)
      #expect(try ValueDecoder().decode(PlainValue.self, from: ValueEncoder().encode(value)) == value)
      #expect(try JSONDecoder().decode(PlainValue.self, from: JSONEncoder().encode(value)) == value)
      let list = try PropertyListEncoder().encode(["value": value])
      #expect(try PropertyListDecoder().decode([String: PlainValue].self, from: list) == ["value": value])
    }
  }

  @Test func `Nesting is limited to eight lists`() throws {
    func nested(_ depth: Int, _ core: String) -> String {
      String(repeating: "[", count: depth) + core + String(repeating: "]", count: depth)
    }
    for core in ["", "1", #""a""#] {
      #expect(throws: Never.self) { try Format.foundationJSON.decode(nested(8, core), as: PlainValue.self) }
      #expect(throws: Never.self) { try Format.bus.decode(nested(8, core), as: PlainValue.self) }
      for format in [Format.foundationJSON, .bus] {
        #expect(throws: (any Error).self) { try format.decode(nested(9, core), as: PlainValue.self) }
      }
      let (deepest, deeper) = (try JSONReader.read(nested(8, core)), try JSONReader.read(nested(9, core)))
      #expect(try deepest.decode(as: PlainValue.self) == deepest)
      #expect(throws: RequestError.self) { try deeper.decode(as: PlainValue.self) }
    }
    let hostile = nested(400, "")
    #expect(throws: RequestError.self) { try Format.foundationJSON.decode(hostile, as: PlainValue.self) }
  }

  /// A decoder that tries each type at each level would take 2^depth times as long.
  @Test func `An invalid value deep inside is found quickly`() {
    let json = #"{"a":[{"b":[{"c":[{"d":null}]}]}]}"#
    let error = #expect(throws: RequestError.self) { try JSONDecoder().decode(PlainValue.self, from: Data(json.utf8)) }
    #expect(error?.key == "a[0].b[0].c[0].d")
  }

  @Test func `Dates and data of a property list are rejected`() throws {
    for odd in [Date(), Data([1])] as [any Encodable & Sendable] {
      let list = try PropertyListSerialization.data(fromPropertyList: ["a": ["b": odd]], format: .binary, options: 0)
      #expect(throws: (any Error).self) { try PropertyListDecoder().decode([String: PlainValue].self, from: list) }
    }
  }
}

extension PlainValue {
  static func random(depth: Int, using random: inout some RandomNumberGenerator) -> PlainValue {
    switch Int.random(in: depth < 6 ? 0...7 : 2...7, using: &random) {
    case 0: .list((0..<Int.random(in: 0...4, using: &random)).map { _ in .random(depth: depth + 1, using: &random) })
    case 1: .dictionary(randomDictionary(depth: depth + 1, using: &random))
    case 2: .flag(.random(using: &random))
    case 3: .integer(Int64.random(in: .min ... .max, using: &random))
    case 4: .integer(Int64.random(in: -2...2, using: &random))
    // Never a whole number: Foundation's decoders read `1.0` as the integer 1, as JavaScript does.
    case 5: .number(Double(Int.random(in: -1_000_000...1_000_000, using: &random)) + 0.1)
    default: .text(randomText(using: &random))
    }
  }

  static func randomDictionary(depth: Int, using random: inout some RandomNumberGenerator) -> [String: PlainValue] {
    (0..<Int.random(in: 0...4, using: &random)).reduce(into: [:]) { values, _ in
      values[randomText(using: &random)] = .random(depth: depth + 1, using: &random)
    }
  }

  private static func randomText(using random: inout some RandomNumberGenerator) -> String {
    let letters = ["a", "Z", "0", "é", "日", "🫖", " ", "\n", "\"", "\\", "<", "&", "\u{2028}", "/"]
    return (0..<Int.random(in: 0...6, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
  }
}

// SPDX-License-Identifier: Apache-2.0
import DBus
import FoundationEssentials
import Testing

/// Tests D-Bus values as JSON and property lists.
@Suite struct ValueInJSONTests {
  static func json(_ value: Value) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static let natural: [(String, Value)] = [
    (#""tea""#, "tea"), ("true", true), ("-5", .int64(-5)), ("18446744073709551615", .uint64(.max)),
    ("0.5", .double(0.5)), ("[]", .array(of: .variant, [])), (#"["a","b"]"#, .strings(["a", "b"])),
    ("[1,2]", .array(of: .int64, [.int64(1), .int64(2)])),
    (
      #"[1,"a",[true]]"#,
      .array(of: .variant, [.variant(.int64(1)), .variant("a"), .variant(.array(of: .boolean, [true]))])
    ),
    ("{}", .properties([:])),
    (
      #"{"a":{"b":[{"c":1}]}}"#,
      .properties(["a": .properties(["b": .array(of: .properties, [.properties(["c": .int64(1)])])])])
    ),
  ]

  @Test(arguments: natural)
  func `JSON is decoded to the natural value and back`(_ json: String, _ value: Value) throws {
    #expect(try JSONDecoder().decode(Value.self, from: Data(json.utf8)) == value)
    #expect(try Self.json(value) == json)
  }

  @Test func `Other types are encoded as the nearest JSON type`() throws {
    let values: [(Value, String)] = [
      (.byte(1), "1"), (.int16(-1), "-1"), (.uint16(1), "1"), (.int32(-1), "-1"), (.uint32(1), "1"),
      (.variant(.variant("a")), #""a""#), (.objectPath("/a"), #""/a""#), (.signature("as"), #""as""#),
      (.bytes([1, 2]), "[1,2]"), (.structure(["a", .byte(1)]), #"["a",1]"#),
      (
        .dictionary(.init(keyType: .uint32, valueType: .string, entries: [.init(key: .uint32(1), value: "a")])),
        #"{"1":"a"}"#
      ),
    ]
    for (value, json) in values { #expect(try Self.json(value) == json) }
  }

  @Test func `A null in a JSON object is absent, and elsewhere an error`() throws {
    #expect(
      try JSONDecoder().decode(Value.self, from: Data(#"{"a":null,"b":1}"#.utf8)) == .properties(["b": .int64(1)]))
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Value.self, from: Data("[1,null]".utf8)) }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([Value].self, from: Data("[null]".utf8)) }
  }

  @Test func `A value without a JSON form gives an error`() {
    // -1 is not a descriptor, so that closing it at the end has no effect.
    #expect(throws: EncodingError.self) { try Self.json(.properties(["a": .unixFD(UnixFD(owning: -1))])) }
    #expect(throws: EncodingError.self) {
      try Self.json(
        .dictionary(.init(keyType: .double, valueType: .string, entries: [.init(key: .double(1), value: "a")])))
    }
  }

  @Test func `Names are decoded from text and checked`() throws {
    #expect(try JSONDecoder().decode([ObjectPath].self, from: Data(#"["/a"]"#.utf8)) == ["/a"])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([ObjectPath].self, from: Data(#"["a"]"#.utf8)) }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([BusName].self, from: Data("[1]".utf8)) }
    #expect(String(decoding: try JSONEncoder().encode([Signature("as")]), as: UTF8.self) == #"["as"]"#)
  }

  @Test func `A property list is decoded like JSON`() throws {
    let list = """
      <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>a</key><array><integer>1</integer></array>\
      <key>b</key><true/><key>c</key><real>0.5</real><key>d</key><string>x</string></dict></plist>
      """
    #expect(
      try PropertyListDecoder().decode(Value.self, from: Data(list.utf8))
        == .properties(["a": .array(of: .int64, [.int64(1)]), "b": true, "c": .double(0.5), "d": "x"]))
  }
}

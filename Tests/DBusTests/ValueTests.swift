// SPDX-License-Identifier: Apache-2.0
import DBus
import Testing

/// Tests the types of values and reading them.
@Suite struct ValueTests {
  static let samples: [(Value, String)] = [
    (.byte(1), "y"), (.boolean(true), "b"), (.int16(-1), "n"), (.uint16(1), "q"), (.int32(-1), "i"), (.uint32(1), "u"),
    (.int64(-1), "x"), (.uint64(1), "t"), (.double(0.5), "d"), (.string("a"), "s"), (.objectPath("/a"), "o"),
    (.signature("as"), "g"), (.variant("a"), "v"), (.bytes([1, 2]), "ay"), (.strings(["a"]), "as"),
    (.array(of: .properties, []), "aa{sv}"), (.structure(["a", .structure([.byte(1)])]), "(s(y))"),
    (.properties(["a": "b"]), "a{sv}"),
    (.dictionary(DictionaryValue(keyType: .uint32, valueType: .array(.string), entries: [])), "a{uas}"),
  ]

  @Test(arguments: samples)
  func `A value knows its type`(_ value: Value, _ code: String) {
    #expect(value.type.code == code)
    #expect(Signature(code)?.singleType == value.type)
  }

  @Test func `Properties are sorted by key and read back`() {
    let properties: [String: Value] = ["b": .int32(2), "a": "one", "c": .variant(.byte(3))]
    guard case .dictionary(let dictionary) = Value.properties(properties) else {
      Issue.record("not a dictionary")
      return
    }
    #expect(dictionary.entries.map(\.key) == ["a", "b", "c"])
    #expect(dictionary.entries.map(\.value) == [.variant("one"), .variant(.int32(2)), .variant(.variant(.byte(3)))])
    #expect(Value.properties(properties).properties == properties)
  }

  @Test func `The last value of a repeated key counts`() {
    #expect(Self.twice.properties == ["a": .int32(2)])
  }

  static let twice = Value.dictionary(
    DictionaryValue(
      keyType: .string, valueType: .variant,
      entries: [.init(key: "a", value: .variant(.int32(1))), .init(key: "a", value: .variant(.int32(2)))]))

  @Test func `Reading a value as another type gives nil`() {
    #expect(Value.string("a").string == "a")
    #expect(Value.objectPath("/a").string == nil)
    #expect(Value.boolean(true).boolean == true)
    #expect(Value.byte(1).boolean == nil)
    #expect(Value.uint32(7).uint32 == 7)
    #expect(Value.int32(7).uint32 == nil)
    #expect(Value.strings(["a", "b"]).strings == ["a", "b"])
    #expect(Value.array(of: .variant, [.variant("a")]).strings == nil)
    #expect(Value.array(of: .variant, [.variant("a")]).elements == [.variant("a")])
    #expect(Value.bytes([1]).elements == nil)
    #expect(Value.string("a").properties == nil)
    #expect(Value.dictionary(.init(keyType: .string, valueType: .string, entries: [])).properties == nil)
  }

  @Test func `An integer of any width is read`() {
    let sevens: [Value] = [.byte(7), .int16(7), .uint16(7), .int32(7), .uint32(7), .int64(7), .uint64(7)]
    for seven in sevens { #expect(seven.integer == 7) }
    #expect(Value.uint64(.max).integer == nil)
    #expect(Value.double(7).integer == nil)
    #expect(Value.boolean(true).integer == nil)
  }
}

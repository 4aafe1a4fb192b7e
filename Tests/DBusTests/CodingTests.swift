// SPDX-License-Identifier: Apache-2.0
import DBus
import FoundationEssentials
import Testing

struct Everything: Codable, Equatable {
  enum Level: String, Codable { case passive, active }
  enum Trigger: Codable, Equatable {
    case now
    case after(seconds: Int)
    case every(String, count: Int?)
  }
  struct Action: Codable, Equatable {
    var id: String
    var title: String?
  }

  var text = "tea", flag = true
  var int = -1, int8 = Int8.min, int16 = Int16.min, int32 = Int32.min, int64 = Int64.min
  var uint = UInt(1), uint8 = UInt8.max, uint16 = UInt16.max, uint32 = UInt32.max, uint64 = UInt64.max
  var double = 0.1, float = Float(0.1)
  var level = Level.active
  var triggers: [Trigger] = [.now, .after(seconds: 90), .every("hourly", count: nil), .every("daily", count: 3)]
  var action = Action(id: "a", title: "Drink")
  var actions = [Action(id: "a", title: nil), Action(id: "b", title: "Pour")]
  var texts = ["a", "b"], noTexts: [String] = [], noActions: [Action] = []
  var bytes: [UInt8] = [1, 2], noBytes: [UInt8] = [], data = Data([3, 4]), noData = Data()
  var nested = [[1, 2], [], [3]]
  var counts = ["a": 1, "b": 2], byNumber = [1: "one", 2: "two"], deep = ["a": ["b": [true]]]
  var flags = Set([1, 2, 3])
  var date = Date(timeIntervalSinceReferenceDate: 12345.5), url = URL(string: "https://example.org/a?b=c")
  var absent: String?, present: Int? = 3, absentAction: Action?
}

/// Tests `Codable` types as D-Bus values and back.
@Suite struct CodingTests {
  func roundTrip<T: Codable & Equatable>(_ value: T, as expected: Value? = nil) throws {
    let encoded = try ValueEncoder().encode(value)
    if let expected { #expect(encoded == expected) }
    #expect(try ValueDecoder().decode(T.self, from: encoded) == value)
    #expect(try ValueDecoder().decode(T.self, from: .variant(encoded)) == value)
  }

  @Test func `Every supported type survives encoding and decoding`() throws {
    let everything = Everything()
    try roundTrip(everything)
    try roundTrip([everything, everything])
    let properties = try ValueEncoder().encodeProperties(everything)
    #expect(Value.properties(properties) == (try ValueEncoder().encode(everything)))
    #expect(try ValueDecoder().decode(Everything.self, fromProperties: properties) == everything)
  }

  @Test func `Encoded properties match the JSON encoding`() throws {
    var everything = Everything()
    everything.url = nil  // which JSONEncoder does not leave to itself
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.dataEncodingStrategy = .deferredToData
    encoder.dateEncodingStrategy = .deferredToDate
    let direct = try encoder.encode(everything)
    let throughTheBus = try encoder.encode(ValueEncoder().encode(everything))
    #expect(Self.withoutFloat(throughTheBus) == Self.withoutFloat(direct))
    let decoder = JSONDecoder()
    decoder.dataDecodingStrategy = .deferredToData
    let natural = try decoder.decode(Value.self, from: direct)
    #expect(try ValueDecoder().decode(Everything.self, from: natural) == everything)
  }

  /// A Float becomes a double on the bus, and is written with all digits of a double.
  private static func withoutFloat(_ json: Data) -> String {
    String(decoding: json, as: UTF8.self).replacing(#/"float":[0-9.]+/#, with: "")
  }

  @Test func `Each Swift type has its D-Bus type`() throws {
    let properties = try ValueEncoder().encodeProperties(Everything())
    let codes = properties.mapValues(\.type.code)
    let expected = [
      "text": "s", "flag": "b", "int": "x", "int8": "n", "int16": "n", "int32": "i", "int64": "x", "uint": "t",
      "uint8": "y", "uint16": "q", "uint32": "u", "uint64": "t", "double": "d", "float": "d", "level": "s",
      "triggers": "aa{sv}", "action": "a{sv}", "actions": "aa{sv}", "texts": "as", "noTexts": "as", "noActions": "av",
      "bytes": "ay", "noBytes": "ay", "data": "ay", "noData": "av", "nested": "av", "counts": "a{sv}",
      "byNumber": "a{sv}", "deep": "a{sv}", "flags": "ax", "date": "d", "url": "a{sv}", "present": "x",
    ]
    for (key, code) in expected { #expect(codes[key] == code, "\(key)") }
    #expect(Set(codes.keys) == Set(expected.keys), "nil must be absent")
  }

  @Test func `Values and names are encoded as themselves`() throws {
    struct Box: Codable, Equatable {
      var value: Value
      var more: [Value]
      var named: [String: Value]
      var path: ObjectPath
      var signature: Signature
      var name: BusName
    }
    for sample in ValueTests.samples.map(\.0) + [.variant(.variant("a"))] {
      #expect(try ValueEncoder().encode(sample) == sample)
      #expect(try ValueDecoder().decode(Value.self, from: sample) == sample)
      let box = Box(
        value: sample, more: [sample, "a", .variant("b")], named: ["a": sample], path: "/a", signature: "as",
        name: ":1.2")
      try roundTrip(box)
      let properties = try ValueEncoder().encodeProperties(box)
      #expect(properties["value"] == sample)
      #expect(properties["path"] == .objectPath("/a"))
      #expect(properties["signature"] == .signature("as"))
      #expect(properties["name"] == ":1.2")
    }
    #expect(try ValueDecoder().decode(Value.self, from: .variant("a")) == .variant("a"))
  }

  @Test func `An array has the type of its elements if they share one`() throws {
    #expect(try ValueEncoder().encode([Value.string("a"), "b"]) == .strings(["a", "b"]))
    #expect(try ValueEncoder().encode([Value.byte(1), .byte(2)]) == .bytes([1, 2]))
    #expect(
      try ValueEncoder().encode([Value.byte(1), "b"]) == .array(of: .variant, [.variant(.byte(1)), .variant("b")]))
    #expect(try ValueEncoder().encode([0.5]) == .array(of: .double, [.double(0.5)]))
    #expect(try ValueEncoder().encode([Int]()) == .array(of: .int64, []))
    #expect(try ValueEncoder().encode([[Int]]()) == .array(of: .variant, []))
    #expect(try ValueEncoder().encode([["a"]]) == .array(of: .variant, [.variant(.strings(["a"]))]))
  }

  @Test func `Any integer that fits is decoded`() throws {
    let sevens: [Value] = [
      .byte(7), .int16(7), .uint16(7), .int32(7), .uint32(7), .int64(7), .uint64(7), .variant(.variant(.uint16(7))),
    ]
    for seven in sevens {
      #expect(try ValueDecoder().decode(Int.self, from: seven) == 7)
      #expect(try ValueDecoder().decode(Int8.self, from: seven) == 7)
      #expect(try ValueDecoder().decode(UInt64.self, from: seven) == 7)
      #expect(try ValueDecoder().decode(Double.self, from: seven) == 7)
      #expect(try ValueDecoder().decode(Float.self, from: seven) == 7)
      #expect(try ValueDecoder().decode([UInt8].self, from: .array(of: .variant, [seven])) == [7])
    }
    #expect(try ValueDecoder().decode(Double.self, from: .uint64(1 << 63)) == 9_223_372_036_854_775_808)
    #expect(try ValueDecoder().decode([Int].self, from: .bytes([1, 2])) == [1, 2])
  }

  @Test func `Dictionaries with other keys and structures are decoded`() throws {
    let byPath = Value.dictionary(
      .init(keyType: .objectPath, valueType: .uint32, entries: [.init(key: .objectPath("/a"), value: .uint32(1))]))
    #expect(try ValueDecoder().decode([String: Int].self, from: byPath) == ["/a": 1])
    let byNumber = Value.dictionary(
      .init(keyType: .byte, valueType: .string, entries: [.init(key: .byte(5), value: "five")]))
    #expect(try ValueDecoder().decode([Int: String].self, from: byNumber) == [5: "five"])
    #expect(try ValueDecoder().decode([String].self, from: .structure(["a", .variant("b")])) == ["a", "b"])
    #expect(try ValueDecoder().decode([String: Int].self, from: ValueTests.twice) == ["a": 2])
  }

  @Test func `A large dictionary is decoded like a small one`() throws {
    for size in [0, 1, 15, 16, 17, 1000] {
      try roundTrip(Dictionary(uniqueKeysWithValues: (0..<size).map { ("key \($0)", $0) }))
    }
  }
}

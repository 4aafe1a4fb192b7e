// SPDX-License-Identifier: Apache-2.0
import DBus
import Testing

/// Tests the containers that only handwritten `Codable` types use.
@Suite struct CodingContainerTests {
  class Animal: Codable {
    var name: String
    init(name: String) { self.name = name }
  }

  final class Dog: Animal {
    enum Keys: CodingKey { case tricks, lists }
    var tricks: [Int]

    init(name: String, tricks: [Int]) {
      self.tricks = tricks
      super.init(name: name)
    }

    required init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Keys.self)
      var nested = try fields.nestedUnkeyedContainer(forKey: .tricks)
      tricks = []
      #expect(nested.count == 3)
      #expect(try !nested.decodeNil())
      while !nested.isAtEnd {
        let inner = try nested.nestedContainer(keyedBy: Keys.self)
        #expect(inner.allKeys.map(\.stringValue) == ["tricks"])
        #expect(inner.contains(.tricks) && !inner.contains(.lists))
        tricks.append(try inner.decode(Int.self, forKey: .tricks))
      }
      #expect(throws: DecodingError.self) { try nested.decode(Int.self) }
      var lists = try fields.nestedUnkeyedContainer(forKey: .lists)
      var list = try lists.nestedUnkeyedContainer()
      #expect(try list.decode(String.self) == "x")
      #expect(throws: DecodingError.self) { try lists.decode(Int.self) }
      #expect(lists.currentIndex == 1)
      #expect(try String(from: lists.superDecoder()) == "y")
      try super.init(from: fields.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: Keys.self)
      var nested = fields.nestedUnkeyedContainer(forKey: .tricks)
      for trick in tricks {
        var inner = nested.nestedContainer(keyedBy: Keys.self)
        try inner.encode(trick, forKey: .tricks)
        try inner.encodeNil(forKey: .lists)
      }
      #expect(nested.count == tricks.count)
      var lists = fields.nestedUnkeyedContainer(forKey: .lists)
      var list = lists.nestedUnkeyedContainer()
      try list.encode("x")
      try "y".encode(to: lists.superEncoder())
      try super.encode(to: fields.superEncoder())
    }
  }

  @Test func `A subclass encodes its superclass under the key super`() throws {
    let value = try ValueEncoder().encode(Dog(name: "Rex", tricks: [1, 2, 3]))
    #expect(value.properties?["super"] == .properties(["name": "Rex"]))
    #expect(value.properties?["tricks"]?.elements?.count == 3)
    #expect(value.properties?["lists"]?.type.code == "av")
    let dog = try ValueDecoder().decode(Dog.self, from: value)
    #expect(dog.name == "Rex")
    #expect(dog.tricks == [1, 2, 3])
  }

  struct Tagged: Codable, Equatable {
    enum Tag: CodingKey { case kind }
    struct Body: Codable, Equatable { var size: Int }
    var body: Body

    init(size: Int) { body = Body(size: size) }

    init(from decoder: any Decoder) throws {
      #expect(try decoder.container(keyedBy: Tag.self).decode(String.self, forKey: .kind) == "body")
      body = try decoder.singleValueContainer().decode(Body.self)
    }

    func encode(to encoder: any Encoder) throws {
      try body.encode(to: encoder)
      var container = encoder.container(keyedBy: Tag.self)
      try container.encode("wrong", forKey: .kind)
      try container.encode("body", forKey: .kind)
    }
  }

  @Test func `A second container adds to the first, and the last value of a key counts`() throws {
    let value = try ValueEncoder().encode(Tagged(size: 3))
    #expect(value == .properties(["kind": "body", "size": .int64(3)]))
    #expect(try ValueEncoder().encodeProperties(Tagged(size: 3)) == value.properties)
    #expect(try ValueDecoder().decode(Tagged.self, from: value) == Tagged(size: 3))
  }

  struct Contradictory: Encodable {
    enum Keys: CodingKey { case a }
    func encode(to encoder: any Encoder) throws {
      var one = encoder.singleValueContainer()
      try one.encode(1)
      var two = encoder.container(keyedBy: Keys.self)
      try two.encode(2, forKey: .a)
    }
  }

  @Test func `A type that encodes itself as two kinds of value is refused`() {
    #expect(throws: EncodingError.self) { try ValueEncoder().encode(Contradictory()) }
    #expect(throws: EncodingError.self) { try ValueEncoder().encode(["a": [Contradictory()]]) }
  }

  struct Informed: Codable, Equatable {
    static let key = CodingUserInfoKey(rawValue: "informed")
    var text: String

    init(text: String) { self.text = text }
    init(from decoder: any Decoder) throws { text = Self.text(decoder.userInfo) }
    func encode(to encoder: any Encoder) throws { try Self.text(encoder.userInfo).encode(to: encoder) }

    private static func text(_ info: [CodingUserInfoKey: Any]) -> String {
      key.flatMap { info[$0] as? String } ?? "uninformed"
    }
  }

  @Test func `The user info reaches every level`() throws {
    let key = try #require(Informed.key)
    var encoder = ValueEncoder()
    encoder.userInfo = [key: "hello"]
    var decoder = ValueDecoder()
    decoder.userInfo = [key: "world"]
    let value = try encoder.encode(["a": [Informed(text: "")]])
    #expect(value == .properties(["a": .strings(["hello"])]))
    #expect(try decoder.decode([String: [Informed]].self, from: value) == ["a": [Informed(text: "world")]])
  }
}

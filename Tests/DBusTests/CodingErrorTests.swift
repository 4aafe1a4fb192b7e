// SPDX-License-Identifier: Apache-2.0
import DBus
import FoundationEssentials
import Testing

/// Tests the errors of encoding and decoding, and the limits of depth.
@Suite struct CodingErrorTests {
  struct Request: Codable {
    struct Action: Codable {
      var id: String
      var title: String
    }
    var actions: [Action]
    var badge: UInt8?
    var resident: Bool?
    var level: Everything.Level?
    var path: ObjectPath?
    var weight: Float?
    var tags: [String: [String]]?
    var raw: Value?
  }

  static func request(_ more: [String: Value], secondTitle: Value = "b") -> Value {
    let actions: [Value] = [.properties(["id": "a", "title": "A"]), .properties(["id": "b", "title": secondTitle])]
    return .properties(more.merging(["actions": .array(of: .properties, actions)]) { given, _ in given })
  }

  static let complaints: [(Value, String)] = [
    (request([:], secondTitle: .uint32(1)), "actions[1].title: expected a string, got u"),
    (request([:], secondTitle: .objectPath("/")), "actions[1].title: expected a string, got o"),
    (request(["actions": .array(of: .properties, [.properties(["id": "a"])])]), "actions[0].title: missing"),
    (request(["actions": .array(of: .variant, [.variant("a")])]), "actions[0]: expected a dictionary, got s"),
    (request(["actions": "a"]), "actions: expected an array, got s"),
    (.properties([:]), "actions: missing"),
    (request(["badge": .int32(256)]), "badge: 256 does not fit UInt8"),
    (request(["badge": .variant(.int32(-1))]), "badge: -1 does not fit UInt8"),
    (request(["badge": .double(1)]), "badge: expected an integer, got d"),
    (request(["badge": .boolean(true)]), "badge: expected an integer, got b"),
    (request(["resident": .int32(1)]), "resident: expected a boolean, got i"),
    (request(["level": "loud"]), "level: Cannot initialize Level from invalid String value loud"),
    (request(["level": .byte(1)]), "level: expected a string, got y"),
    (request(["path": "a"]), "path: not a valid ObjectPath: 'a'"),
    (request(["path": .byte(1)]), "path: expected a string, got y"),
    (request(["weight": .double(1e300)]), "weight: expected a number, got d"),
    (
      request(["tags": .properties(["x": .strings(["a"]), "y": .array(of: .int64, [.int64(1)])])]),
      "tags.y[0]: expected a string, got x"
    ),
    (request(["tags": .structure(["a"])]), "tags: expected a dictionary, got (s)"),
    ("a", "expected a dictionary, got s"),
    (.variant(.int32(1)), "expected a dictionary, got i"),
  ]

  @Test(arguments: complaints)
  func `A decoding error names the place and the expected type`(_ value: Value, _ complaint: String) {
    do {
      _ = try ValueDecoder().decode(Request.self, from: value)
      Issue.record("taken")
    } catch {
      #expect(error.summary == complaint)
    }
    guard let properties = value.properties else { return }
    do {
      _ = try ValueDecoder().decode(Request.self, fromProperties: properties)
      Issue.record("taken")
    } catch {
      #expect(error.summary == complaint)
    }
  }

  @Test func `A dictionary key without a text form is refused`() {
    let byDouble = Value.dictionary(
      .init(keyType: .double, valueType: .string, entries: [.init(key: .double(1), value: "a")]))
    #expect(throws: DecodingError.self) { try ValueDecoder().decode([String: String].self, from: byDouble) }
  }

  @Test func `A number that does not fit exactly is refused`() {
    #expect(throws: DecodingError.self) { try ValueDecoder().decode(Double.self, from: .int64(.max)) }
    #expect(throws: DecodingError.self) { try ValueDecoder().decode(Int.self, from: .uint64(.max)) }
  }

  struct OwnError: Error {}
  struct Thrower: Codable {
    init() {}
    init(from decoder: any Decoder) throws { throw OwnError() }
    func encode(to encoder: any Encoder) throws { throw OwnError() }
  }

  @Test func `A type's own error is kept as the underlying error`() throws {
    let decoding = #expect(throws: DecodingError.self) {
      try ValueDecoder().decode([Thrower].self, from: .strings(["a"]))
    }
    guard case .dataCorrupted(let context) = decoding else {
      Issue.record("another case")
      return
    }
    #expect(context.underlyingError is OwnError)
    let encoding = #expect(throws: EncodingError.self) { try ValueEncoder().encode(["a": Thrower()]) }
    guard case .invalidValue(_, let context) = encoding else { return }
    #expect(context.underlyingError is OwnError)
  }

  @Test func `Encoding a nil or an unsupported type fails`() {
    #expect(throws: EncodingError.self) { try ValueEncoder().encode(Int?.none) }
    let gap = #expect(throws: EncodingError.self) { try ValueEncoder().encode(["a": [1, nil]]) }
    #expect(gap?.summary == "a[1]: the bus has no null, and an array no gaps")
    #expect(throws: EncodingError.self) { try ValueEncoder().encodeProperties("no keys") }
    #expect(throws: EncodingError.self) { try ValueEncoder().encode(Int128(1)) }
    #expect(throws: DecodingError.self) { try ValueDecoder().decode(Int128.self, from: .int64(1)) }
  }

  // MARK: Depth

  struct Chain: Codable {
    final class Link: Codable {
      var next: Chain?
      init(next: Chain?) { self.next = next }
    }
    var link: Link
    init(length: Int) { link = Link(next: length > 0 ? Chain(length: length - 1) : nil) }
  }

  static func deep(_ depth: Int) -> Value {
    (0..<depth).reduce(Value.properties([:])) { value, _ in .properties(["link": .properties(["next": value])]) }
  }

  @Test func `Excessive depth is refused without recursion into it`() throws {
    #expect(throws: DecodingError.self) { try ValueDecoder().decode(Chain.self, from: Self.deep(1_000)) }
    #expect(throws: EncodingError.self) { try ValueEncoder().encode(Chain(length: 1_000)) }
    let shallow = try ValueEncoder().encode(Chain(length: 30))
    #expect(throws: Never.self) { try ValueDecoder().decode(Chain.self, from: shallow) }
    let variants = (0..<10_000).reduce(Value.int32(1)) { value, _ in .variant(value) }
    #expect(try ValueDecoder().decode(Int.self, from: variants) == 1)
  }

  struct Burrow: Encodable {
    func encode(to encoder: any Encoder) throws {
      var inner = encoder.unkeyedContainer()
      for _ in 0..<10_000 { inner = inner.nestedUnkeyedContainer() }
    }
  }

  @Test func `Excessive depth of nested containers is refused`() {
    #expect(throws: EncodingError.self) { try ValueEncoder().encode(Burrow()) }
  }

  /// Handwritten containers reference their parents, and parents their containers.
  struct Nest: Encodable {
    let isWrong: Bool

    func encode(to encoder: any Encoder) throws {
      var outer = encoder.container(keyedBy: NestKey.self)
      var middle = outer.nestedUnkeyedContainer(forKey: .middle)
      var inner = middle.nestedContainer(keyedBy: NestKey.self)
      try inner.encode("deep", forKey: .inner)
      var wrong = inner.superEncoder(forKey: .outer).singleValueContainer()
      if isWrong { try wrong.encodeNil() } else { try wrong.encode([1, 2]) }
      if isWrong { try middle.encodeNil() }
    }
  }

  enum NestKey: CodingKey { case outer, middle, inner }

  @Test func `Encoding leaks no memory, even if it fails`() throws {
    final class Witness: Sendable {}
    let key = try #require(CodingUserInfoKey(rawValue: "witness"))
    for value in [Nest(isWrong: false), Nest(isWrong: true)] {
      weak var leftover: Witness?
      do {
        var encoder = ValueEncoder()
        let witness = Witness()
        leftover = witness
        encoder.userInfo[key] = witness
        let encoded = try? encoder.encode(value)
        #expect((encoded == nil) == value.isWrong)
        _ = try? encoder.encode([value])
        _ = try? encoder.encodeProperties(value)
        _ = try? encoder.encode(Burrow())
      }
      #expect(leftover == nil)
    }
  }

  @Test func `Excessive depth in JSON is refused`() {
    let text = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Value.self, from: Data(text.utf8)) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(Self.deep(100)) }
  }
}

// SPDX-License-Identifier: Apache-2.0
import DBus
import TestSupport
import Testing

/// Tests signatures and types, also against libdbus.
@Suite struct SignatureTests {
  @Test func `Every type has a code that parses back to it`() {
    let types: [String: ValueType] = [
      "y": .byte, "b": .boolean, "n": .int16, "q": .uint16, "i": .int32, "u": .uint32, "x": .int64, "t": .uint64,
      "d": .double, "s": .string, "o": .objectPath, "g": .signature, "h": .unixFD, "v": .variant,
      "as": .array(.string), "aai": .array(.array(.int32)), "(si)": .structure([.string, .int32]),
      "a{sv}": .properties, "a{oa{sa{sv}}}": .dictionary(.objectPath, .dictionary(.string, .properties)),
      "a(y(bn))": .array(.structure([.byte, .structure([.boolean, .int16])])),
    ]
    for (code, type) in types {
      #expect(type.code == code)
      #expect(Signature(code)?.types == [type])
      #expect(Signature(code)?.singleType == type)
    }
  }

  @Test func `A signature holds any number of types`() {
    let notify: Signature = "susssasa{sv}i"
    #expect(
      notify.types == [.string, .uint32, .string, .string, .string, .array(.string), .properties, .int32])
    #expect(notify.singleType == nil)
    #expect(Signature(notify.types) == notify)
    #expect(Signature("").types == [])
    #expect(Signature("").singleType == nil)
  }

  @Test(arguments: [
    "a", "(", ")", "()", "(s", "s)", "{sv}", "a{sv", "a{s}", "a{}", "a{svs}", "a{vs}", "a{asv}", "a{(s)v}", "a(", "aa",
    "z", "r", "e", "S", "s s", "(a)", "a{sa}", "a{s(}", "}", "ä", "s\0",
  ])
  func `An invalid signature is refused`(_ text: String) {
    #expect(Signature(text) == nil)
  }

  static func arrays(_ depth: Int) -> String { String(repeating: "a", count: depth) + "s" }
  static func structures(_ depth: Int) -> String {
    String(repeating: "(", count: depth) + "s" + String(repeating: ")", count: depth)
  }
  static func dictionaries(_ depth: Int) -> String {
    String(repeating: "a{s", count: depth) + "s" + String(repeating: "}", count: depth)
  }

  @Test func `Arrays, structures and dictionaries nest up to 32 levels`() {
    #expect(Signature(Self.arrays(32)) != nil)
    #expect(Signature(Self.arrays(33)) == nil)
    #expect(Signature(Self.structures(32)) != nil)
    #expect(Signature(Self.structures(33)) == nil)
    #expect(Signature(Self.dictionaries(32)) != nil)
    #expect(Signature(Self.dictionaries(33)) == nil)
    #expect(Signature(String(repeating: "a", count: 32) + Self.structures(32)) != nil)
    #expect(Signature("a{s" + Self.structures(32) + "}") != nil)
  }

  @Test func `A signature has at most 255 bytes`() {
    #expect(Signature(String(repeating: "s", count: 255))?.types.count == 255)
    #expect(Signature(String(repeating: "s", count: 256)) == nil)
  }

  @Test func `The code of a random type parses back to it`() {
    var random = SeededNumbers(seed: 1)
    for _ in 0..<3_000 {
      let type = Self.type(depth: 4, &random)
      guard type.code.utf8.count <= 255 else { continue }
      #expect(Signature(type.code)?.types == [type], "\(type.code)")
      #expect(Oracle.isSignature(type.code), "\(type.code)")
    }
  }

  @Test func `libdbus accepts the same signatures`() {
    let pieces = [
      "a", "a", "(", ")", "{", "}", "a{s", "a{", "v}", "s", "i", "v", "y", "h", "r", "e", "z", "(s)", "a{sv}", "aa",
      "(i", "s)",
    ]
    var random = SeededNumbers(seed: 2)
    var taken = 0
    for round in 0..<100_000 {
      let text = random.text(of: pieces, upTo: round % 10 == 0 ? 12 : 6)
      #expect(Signature.isValid(text) == Oracle.isSignature(text), "\(text)")
      if Oracle.isSignature(text) { taken += 1 }
    }
    #expect(taken > 1_000)
  }

  /// Near the limits of depth and length, which random texts hardly ever reach.
  @Test func `libdbus has the same limits of depth and length`() {
    var random = SeededNumbers(seed: 3)
    var verdicts: [Bool: Int] = [:]
    for _ in 0..<20_000 {
      var open = ""
      var close = ""
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1: open += String(repeating: "a", count: Int.random(in: 1...12, using: &random))
        case 2:
          let count = Int.random(in: 1...9, using: &random)
          open += String(repeating: "(", count: count)
          close = String(repeating: ")", count: count) + close
        case 3:
          open += "(i"
          close = (Bool.random(using: &random) ? "as)" : ")") + close
        default:
          let count = Int.random(in: 1...5, using: &random)
          open += String(repeating: "a{s", count: count)
          close = String(repeating: "}", count: count) + close
        }
      }
      let text = open + "s" + close
      #expect(Signature.isValid(text) == Oracle.isSignature(text), "\(text)")
      verdicts[Oracle.isSignature(text), default: 0] += 1
    }
    #expect(verdicts[true, default: 0] > 1_000)
    #expect(verdicts[false, default: 0] > 300)
  }

  private static func type(depth: Int, _ random: inout SeededNumbers) -> ValueType {
    let basic: [ValueType] = [
      .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
      .unixFD,
    ]
    func someBasic() -> ValueType { basic.randomElement(using: &random) ?? .byte }
    switch depth == 0 ? 0 : Int.random(in: 0..<6, using: &random) {
    case 1: return .array(type(depth: depth - 1, &random))
    case 2: return .dictionary(someBasic(), type(depth: depth - 1, &random))
    case 3, 4:
      let count = Int.random(in: 1...4, using: &random)
      return .structure((0..<count).map { _ in type(depth: depth - 1, &random) })
    case 5: return .variant
    default: return someBasic()
    }
  }
}

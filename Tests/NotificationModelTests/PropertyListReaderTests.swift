// SPDX-License-Identifier: Apache-2.0
import Foundation
import NotificationModel
import Testing

/// Tests our property list parser against Foundation.
@Suite(.timeLimit(.minutes(2))) struct PropertyListReaderTests {
  static func foundation(_ bytes: [UInt8]) -> Any? {
    try? PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
  }

  static func bytes(
    _ value: PlainValue, _ format: PropertyListSerialization.PropertyListFormat
  ) throws -> [UInt8] {
    [UInt8](try PropertyListSerialization.data(fromPropertyList: value.object, format: format, options: 0))
  }

  static func xml(_ inside: String) -> [UInt8] { Array("<plist version=\"1.0\">\(inside)</plist>".utf8) }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func `Foundation's output is parsed`(_ format: PropertyListSerialization.PropertyListFormat) throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<1_000 {
      let value = PlainValue.dictionary(PlainValue.randomDictionary(depth: 0, using: &random))
      let bytes = try Self.bytes(value, format)
      #expect(PropertyListReader.recognizes(bytes))
      #expect(try PropertyListReader.read(bytes) == value)
    }
  }

  static let extremes: [PlainValue] = [
    .integer(.max), .integer(.min), .integer(-1), .integer(255), .integer(256), .integer(65535), .integer(65536),
    .integer(4_294_967_295), .integer(4_294_967_296), .number(.greatestFiniteMagnitude),
    .number(.leastNonzeroMagnitude),
    .number(-0.5),
    .text(String(repeating: "long ", count: 100)), .text(String(repeating: "日本🫖", count: 100_000)),
    .text("\r\n \t]]>&lt;"), .list([]), .dictionary([:]), .list((0..<1000).map { .integer($0) }),
    .dictionary(Dictionary(uniqueKeysWithValues: (0..<300).map { ("key \($0)", .flag($0.isMultiple(of: 2))) })),
  ]

  @Test(arguments: extremes)
  func `Extreme values are parsed back`(_ value: PlainValue) throws {
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      #expect(try PropertyListReader.read(Self.bytes(.list([value]), format)) == .list([value]))
    }
  }

  // MARK: XML

  @Test(
    arguments: [
      ("<string/>", .text("")), ("<string></string>", .text("")), ("<string> a\n</string >", .text(" a\n")),
      ("<string>&lt;&gt;&amp;&quot;&apos;&#65;&#x1FAD6;&#10;</string>", .text("<>&\"'A🫖\n")),
      ("<string>a<![CDATA[<b>&amp;]]]]>c</string>", .text("a<b>&amp;]]c")),
      ("<true/>", .flag(true)), ("<false />", .flag(false)), ("<true></true>", .flag(true)),
      ("<integer>7</integer>", .integer(7)), ("<integer>-7</integer>", .integer(-7)),
      ("<integer>+7</integer>", .integer(7)), ("<real>7</real>", .number(7)), ("<real>-1.5e3</real>", .number(-1500)),
      ("<array/>", .list([])), ("<dict/>", .dictionary([:])), (" <!-- a --> <?a b?> <array> </array> ", .list([])),
      (
        "<dict><!-- a --><key>a</key><!-- b --><array><true/><string>b</string></array><key/><dict/></dict>",
        .dictionary(["a": .list([.flag(true), .text("b")]), "": .dictionary([:])])
      ),
    ] as [(String, PlainValue)])
  func `Valid XML is parsed`(_ inside: String, _ value: PlainValue) throws {
    let bytes = Self.xml(inside)
    #expect(try PropertyListReader.read(bytes) == value)
    #expect(value.isEqual(to: Self.foundation(bytes)))
    let head = """
      \u{feff}<?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">

      """
    #expect(try PropertyListReader.read(Array(head.utf8) + bytes + Array("\n<!-- end -->\n".utf8)) == value)
  }

  static let invalid: [(String, String)] = [
    ("<dict/>", "line 1, column 1: this XML is no property list: it begins with <dict> instead of <plist>"),
    ("<plist>", "line 1, column 8: the text ends where a value is expected"),
    ("<plist/>", "line 1, column 1: the property list is empty"),
    ("<plist> </plist>", "line 1, column 9: the property list is empty"),
    ("<plist><true/></plist> x", "line 1, column 24: unexpected content after </plist>"),
    ("<plist><true/><true/></plist>", "line 1, column 15: </plist> is expected here"),
    ("<plist>\n <dict>\n  <string>a</string></dict></plist>", "line 3, column 3: a <key> is expected here"),
    (
      "<plist>\n <dict>\n  <key>a</key></dict></plist>",
      "line 3, column 15: a value for the key 'a' is expected here"
    ),
    (
      "<plist><dict><key>a</key><true/>\n<key>a</key><true/></dict></plist>",
      "line 2, column 1: duplicate key 'a'"
    ),
    ("<plist><dict><key>a</key><key>b</key></dict></plist>", "line 1, column 26: a <key> is for a <dict>; "),
    ("<plist><array><true/></plist>", "line 1, column 22: </array> is expected here"),
    ("<plist><array>x</array></plist>", "line 1, column 15: a tag such as <string> is expected here"),
    ("<plist><string>a<b/></string></plist>", "line 1, column 17: '<' in a text is written '&lt;'"),
    ("<plist><string>é & a</string></plist>", "line 1, column 18: '&' in a text is written '&amp;'"),
    ("<plist><string>&nbsp;</string></plist>", "line 1, column 16: '&nbsp;' is not a character reference"),
    ("<plist><string>&#0;</string></plist>", "line 1, column 16: '&#0;' is not a character reference"),
    ("<plist><string>&#xD800;</string></plist>", "line 1, column 16: '&#xD800;' is not a character reference"),
    ("<plist><string>&#+65;</string></plist>", "line 1, column 16: '&#+65;' is not a character reference"),
    ("<plist><string>\u{1}</string></plist>", "line 1, column 16: a control character cannot be in an XML"),
    ("<plist><string>a", "line 1, column 17: the text ends inside <string>"),
    ("<plist><string><![CDATA[a</string></plist>", "line 1, column 16: <![CDATA[ is not terminated"),
    ("<plist><integer>1.5</integer></plist>", "line 1, column 8: an integer is expected here"),
    ("<plist><integer> 7</integer></plist>", "line 1, column 8: an integer is expected here"),
    ("<plist><real>7 </real></plist>", "line 1, column 8: a number is expected here"),
    ("<plist><integer></integer></plist>", "line 1, column 8: an integer is expected here"),
    ("<plist><integer>9223372036854775808</integer></plist>", "line 1, column 8: the number is too large"),
    ("<plist><real>nan</real></plist>", "line 1, column 8: a number is expected here"),
    ("<plist><real>0x1p3</real></plist>", "line 1, column 8: a number is expected here"),
    ("<plist><real>1e999</real></plist>", "line 1, column 8: the number is too large"),
    ("<plist><date>2026-11-21T07:30:00Z</date></plist>", "line 1, column 8: a <date> cannot be part of a request"),
    ("<plist><data>AQ==</data></plist>", "line 1, column 8: a <data> cannot be part of a request"),
    ("<plist><null/></plist>", "line 1, column 8: <null> is not a property list value"),
    ("<plist><!-- a -- b --><true/></plist>", "line 1, column 17: '--' ends a comment, and '>' must follow"),
    ("<plist><!-- a <true/></plist>", "line 1, column 8: the comment is not terminated"),
    ("<?xml version='1.0' encoding='UTF-16'?><plist/>", "line 1, column 1: only UTF-8 is supported"),
    ("<?xml", "line 1, column 1: the XML declaration is not terminated"),
    ("<!DOCTYPE plist [<!ENTITY a 'b'>]><plist/>", "line 1, column 17: internal declarations are not supported"),
    ("<!DOCTYPE plist", "line 1, column 1: the document type is not terminated"),
    ("<plist a><true/></plist>", "line 1, column 8: an attribute such as version=\"1.0\" is expected here"),
    ("<plist><string xml:space=\"x\">a</string></plist>", "line 1, column 8: a tag such as <string> is expected here"),
    ("<html></html>", "line 1, column 1: this XML is no property list: it begins with <html> instead of <plist>"),
    ("<", "line 1, column 1: a tag such as <string> is expected here"),
  ]

  @Test(arguments: invalid)
  func `Invalid XML is rejected with the position`(_ text: String, _ complaint: String) {
    let error = #expect(throws: DocumentError.self) { try PropertyListReader.read(Array(text.utf8)) }
    #expect(error?.description.hasPrefix(complaint) == true, "\(error?.description ?? "")")
  }

  @Test func `Nesting is limited to 64 levels`() throws {
    func nested(_ depth: Int, _ format: PropertyListSerialization.PropertyListFormat) throws -> [UInt8] {
      try Self.bytes((1..<depth).reduce(.list([])) { value, _ in .list([value]) }, format)
    }
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      #expect(throws: Never.self) { try PropertyListReader.read(nested(64, format)) }
      let error = #expect(throws: DocumentError.self) { try PropertyListReader.read(nested(65, format)) }
      #expect(error?.problem == "nested deeper than 64 levels")
    }
    let hostile = Array("<plist>".utf8) + Array(repeating: Array("<array>".utf8), count: 100_000).joined()
    #expect(throws: DocumentError.self) { try PropertyListReader.read(hostile) }
  }

  // MARK: Binary

  /// Makes a list of objects, their offset table and the trailer.
  static func binary(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    for object in objects {
      table += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)]
      bytes += object
    }
    let start = [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)]
    return bytes + table + [0, 0, 0, 0, 0, 0, 2, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
      + [0, 0, 0, 0, 0, 0, 0, top] + [0, 0, 0, 0, 0, 0] + start
  }

  /// Each list contains the next one 15 times: some hundred bytes that expand to 15^20 values.
  @Test func `A short list that expands endlessly is rejected`() {
    let objects = (1...20).map { [0xaf, 0x10, 15] + [UInt8](repeating: $0, count: 15) } + [[0x51, 0x61]]
    let error = #expect(throws: DocumentError.self) { try PropertyListReader.read(Self.binary(objects)) }
    #expect(error?.problem == "holds more than 4194304 values")
  }

  @Test func `An object that contains itself is rejected`() {
    for object in [[0xa1, 0], [0xd1, 1, 0]] as [[UInt8]] {
      let error = #expect(throws: DocumentError.self) {
        try PropertyListReader.read(Self.binary([object, [0x51, 0x61]]))
      }
      #expect(error?.problem == "nested deeper than 64 levels")
    }
  }

  @Test(
    arguments: [
      (binary([[0x00]]), "the binary property list is damaged: unknown object type 0 (byte 8)"),
      (binary([[0x80, 0]]), "the binary property list is damaged: unknown object type 128 (byte 8)"),
      (binary([[0x52, 0x61]]), "the binary property list is damaged: unterminated object (byte 8)"),
      (binary([[0x5f, 0x13, 0x7f, 255, 255, 255, 255, 255, 255, 255]]), "the binary property list is damaged: "),
      (binary([[0x6f, 0x13, 0x7f, 255, 255, 255, 255, 255, 255, 255]]), "the binary property list is damaged: "),
      (binary([[0xdf, 0x13, 0x7f, 255, 255, 255, 255, 255, 255, 255]]), "the binary property list is damaged: "),
      (
        binary([[0xaf, 0x13, 255, 255, 255, 255, 255, 255, 255, 255]]),
        "the binary property list is damaged: invalid len"
      ),
      (binary([[0x5f]]), "the binary property list is damaged: invalid length of an object (byte 9)"),
      (binary([[0x51, 0xe9]]), "the binary property list is damaged: invalid text (byte 8)"),
      (binary([[0x60]]), "the binary property list is damaged: invalid text (byte 8)"),
      (binary([[0x61, 0xd8, 0x3e]]), "the binary property list is damaged: invalid text (byte 8)"),
      (binary([[0xa1, 9]]), "the binary property list is damaged: missing object 9 (byte 10)"),
      (binary([[0x09]], top: 7), "the binary property list is damaged: missing object 7 (byte 9)"),
      (binary([[0xd1, 1, 1], [0x09]]), "the binary property list is damaged: a key is not a string (byte 11)"),
      (binary([[0xd2, 1, 1, 1, 1], [0x51, 0x61]]), "duplicate key 'a'"),
      (binary([[0x33, 0, 0, 0, 0, 0, 0, 0, 0]]), "a date cannot be part of a request"),
      (binary([[0x41, 0]]), "data cannot be part of a request"),
      (binary([[0x22, 0x7f, 0xc0, 0, 0]]), "a number is not finite"),
      (binary([[0x14] + [UInt8](repeating: 255, count: 16)]), "a number is too large"),
      (binary([[0x10]]), "the binary property list is damaged: unterminated object"),
      (Array("bplist00".utf8), "the binary property list is damaged: it is too short (byte 8)"),
      (Array("bplist15 and more".utf8), "is not a supported binary property list"),
      (binary([]), "the binary property list is damaged: "),
    ] as [([UInt8], String)])
  func `A damaged binary list is rejected`(_ bytes: [UInt8], _ complaint: String) {
    let error = #expect(throws: DocumentError.self) { try PropertyListReader.read(bytes) }
    #expect(error?.description.hasPrefix(complaint) == true, "\(error?.description ?? "")")
    #expect(error?.place == nil)
  }

  @Test func `Small numbers of any width are parsed`() throws {
    let list = Self.binary([
      [0xa5, 1, 2, 3, 4, 5], [0x10, 0xff], [0x11, 0xff, 0xff], [0x13] + [UInt8](repeating: 0xff, count: 8),
      [0x22, 0x3f, 0, 0, 0], [0x14] + [UInt8](repeating: 0, count: 15) + [7],
    ])
    #expect(
      try PropertyListReader.read(list)
        == .list([.integer(255), .integer(65535), .integer(-1), .number(0.5), .integer(7)]))
  }

  // MARK: Damage

  static func mutated(_ bytes: [UInt8], using random: inout some RandomNumberGenerator) -> [UInt8] {
    var bytes = bytes
    let pieces = ["<", ">", "/", "&", "&#x0;", "<key>", "</dict>", "<array>", "<true/>", "]]>", "<!--", "\"", " "]
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0...5, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[place] = [0, 1, 0x0f, 0x7f, 0x80, 0xd8, 0xff].randomElement(using: &random) ?? 0
      case 2: bytes.remove(at: place)
      case 3: bytes.removeSubrange(place..<min(place + 20, bytes.count))
      case 4: bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
      default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
      }
    }
    return bytes
  }

  /// Lists that both accept must be equal. Foundation accepts more, such as hexadecimal numbers and unclosed comments,
  /// and rejects very little that we accept, such as a blank after a number.
  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func `Ten thousand damaged lists cause no crash`(_ format: PropertyListSerialization.PropertyListFormat) throws {
    var random = SystemRandomNumberGenerator()
    let seeds =
      try (0..<20).map { _ in
        try Self.bytes(.dictionary(PlainValue.randomDictionary(depth: 2, using: &random)), format)
      } + [Self.bytes(JSONReader.read(RequestTests.everything.replacing("\\u0001", with: "")), format)]
    var (taken, ours) = (0, 0)
    for _ in 0..<10_000 {
      let bytes = Self.mutated(seeds.randomElement(using: &random) ?? [], using: &random)
      guard let value = try? PropertyListReader.read(bytes) else { continue }
      taken += 1
      guard let expected = Self.foundation(bytes) else {
        ours += 1
        continue
      }
      #expect(value.isEqual(to: expected), "\(Data(bytes).base64EncodedString())")
    }
    #expect(ours * 200 < taken)
    // Ensures that enough lists were compared.
    #expect(taken > 100)
  }
}

extension PlainValue {
  /// The value as a Foundation object.
  fileprivate var object: Any {
    switch self {
    case .text(let text): text
    case .flag(let flag): flag
    case .integer(let integer): integer
    case .number(let number): number
    case .list(let values): values.map(\.object)
    case .dictionary(let values): values.mapValues(\.object)
    }
  }
}

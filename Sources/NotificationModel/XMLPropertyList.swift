// SPDX-License-Identifier: Apache-2.0

/// Parses an XML property list with the necessary subset of XML: only the five predefined entities, and nothing is ever
/// fetched.
struct XMLPropertyList {
  private let bytes: [UInt8]
  private var position = 0
  private var search: PlaceSearch?

  private init(_ bytes: [UInt8], search: PlaceSearch? = nil) {
    self.bytes = bytes
    self.search = search
  }

  static func read(_ bytes: [UInt8]) throws(DocumentError) -> PlainValue {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw DocumentError("is not UTF-8 text") }
    var list = XMLPropertyList(bytes)
    return try list.document()
  }

  /// The position in the text of an error's value, or of the container that lacks it.
  static func place(of error: RequestError, in bytes: [UInt8]) -> DocumentPlace? {
    var list = XMLPropertyList(bytes, search: PlaceSearch(for: error))
    _ = try? list.document()
    return list.search.map { DocumentPlace(of: $0.found, in: bytes) }
  }

  private func error(_ problem: String, at position: Int? = nil) -> DocumentError {
    DocumentError(at: DocumentPlace(of: position ?? self.position, in: bytes), problem)
  }

  // MARK: Document

  private mutating func document() throws(DocumentError) -> PlainValue {
    if bytes.starts(with: PropertyListReader.byteOrderMark) { position = 3 }
    if isNext("<?xml") { try declaration() }
    try skipBetween()
    if isNext("<!DOCTYPE") {
      try documentType()
      try skipBetween()
    }
    let root = try openTag(mayHaveAttributes: true)
    guard root.name == "plist" else {
      throw error("this XML is no property list: it begins with <\(root.name)> instead of <plist>", at: root.start)
    }
    guard !root.isEmpty else { throw error("the property list is empty", at: root.start) }
    try skipBetween()
    guard !isNext("</") else { throw error("the property list is empty") }
    search?.begin(at: position)
    let value = try value(depth: 0)
    try skipBetween()
    try closeTag("plist")
    try skipBetween()
    if position < bytes.count { throw error("unexpected content after </plist>") }
    return value
  }

  private mutating func declaration() throws(DocumentError) {
    let start = position
    try skip(past: "?>", "the XML declaration is not terminated")
    let text = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
    guard let place = text.indices.first(where: { text[$0...].hasPrefix("encoding") }) else { return }
    let encoding = text[place...].dropFirst("encoding".count).drop { $0 == " " || $0 == "=" }
    let known = ["utf-8", "us-ascii"].flatMap { ["\"\($0)\"", "'\($0)'"] }
    guard known.contains(where: encoding.hasPrefix) else {
      throw error("only UTF-8 is supported", at: start)
    }
  }

  private mutating func documentType() throws(DocumentError) {
    let start = position
    position += 1
    while position < bytes.count {
      if take(">") { return }
      guard !isNext("["), !isNext("<") else { throw error("internal declarations are not supported") }
      position += 1
    }
    throw error("the document type is not terminated", at: start)
  }

  /// Skips blanks, comments and processing instructions.
  private mutating func skipBetween() throws(DocumentError) {
    while position < bytes.count {
      if PropertyListReader.isBlank(bytes[position]) {
        position += 1
      } else if isNext("<!--") {
        let start = position
        position += 4
        try skip(past: "--", "the comment is not terminated", from: start)
        guard take(">") else { throw error("'--' ends a comment, and '>' must follow") }
      } else if isNext("<?") {
        try skip(past: "?>", "the processing instruction is not terminated")
      } else {
        return
      }
    }
  }

  private mutating func skip(past mark: StaticString, _ problem: String, from start: Int? = nil) throws(DocumentError) {
    let start = start ?? position
    while position < bytes.count {
      if take(mark) { return }
      position += 1
    }
    throw error(problem, at: start)
  }

  // MARK: Tags

  private struct Tag {
    let name: String
    let isEmpty: Bool
    let start: Int
  }

  private func isNext(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[position...].starts(with: $0) }
  }

  private mutating func take(_ text: StaticString) -> Bool {
    guard isNext(text) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  private mutating func name() -> String {
    let start = position
    while position < bytes.count, (bytes[position] | 0x20) >= UInt8(ascii: "a"),
      (bytes[position] | 0x20) <= UInt8(ascii: "z")
    {
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func skipBlanks() {
    while position < bytes.count, PropertyListReader.isBlank(bytes[position]) { position += 1 }
  }

  private mutating func openTag(mayHaveAttributes: Bool = false) throws(DocumentError) -> Tag {
    let start = position
    guard position < bytes.count else { throw error("the text ends where a value is expected") }
    guard !isNext("</"), take("<") else { throw error("a tag such as <string> is expected here") }
    let name = name()
    skipBlanks()
    if mayHaveAttributes {
      while position < bytes.count, bytes[position] != UInt8(ascii: ">"), bytes[position] != UInt8(ascii: "/") {
        try attribute()
        skipBlanks()
      }
    }
    let isEmpty = take("/")
    guard !name.isEmpty, take(">") else { throw error("a tag such as <string> is expected here", at: start) }
    return Tag(name: name, isEmpty: isEmpty, start: start)
  }

  private mutating func attribute() throws(DocumentError) {
    let start = position
    guard !name().isEmpty, take("="), let quote = bytes[position...].first,
      quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      let end = bytes[(position + 1)...].firstIndex(where: {
        $0 == quote || $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">")
      }),
      bytes[end] == quote
    else { throw error("an attribute such as version=\"1.0\" is expected here", at: start) }
    position = end + 1
  }

  private mutating func closeTag(_ name: String) throws(DocumentError) {
    let start = position
    guard position < bytes.count else { throw error("the text ends where </\(name)> is expected") }
    guard take("</"), self.name() == name else { throw error("</\(name)> is expected here", at: start) }
    skipBlanks()
    guard take(">") else { throw error("</\(name)> is expected here", at: start) }
  }
}

// MARK: Values

extension XMLPropertyList {
  private mutating func value(depth: Int) throws(DocumentError) -> PlainValue {
    guard depth < PropertyListReader.deepestNesting else {
      throw error("nested deeper than \(PropertyListReader.deepestNesting) levels")
    }
    let tag = try openTag()
    switch tag.name {
    case "string": return .text(try text(of: tag))
    case "true", "false":
      if !tag.isEmpty { try closeTag(tag.name) }
      return .flag(tag.name == "true")
    case "integer": return .integer(try integer(try text(of: tag), tag.start))
    case "real": return .number(try number(try text(of: tag), tag.start))
    case "dict": return .dictionary(tag.isEmpty ? [:] : try dictionary(depth: depth))
    case "array": return .list(tag.isEmpty ? [] : try list(depth: depth))
    case "date", "data":
      throw error("a <\(tag.name)> cannot be part of a request; write it as a <string>", at: tag.start)
    case "key": throw error("a <key> is for a <dict>; a value is expected here", at: tag.start)
    default: throw error("<\(tag.name.asLine(longest: 20))> is not a property list value", at: tag.start)
    }
  }

  private mutating func dictionary(depth: Int) throws(DocumentError) -> [String: PlainValue] {
    var values: [String: PlainValue] = [:]
    while true {
      try skipBetween()
      if isNext("</") { break }
      let tag = try openTag()
      guard tag.name == "key" else { throw error("a <key> is expected here", at: tag.start) }
      let key = try text(of: tag)
      guard values[key] == nil else { throw error("duplicate key \(key.quoted)", at: tag.start) }
      try skipBetween()
      guard !isNext("</") else { throw error("a value for the key \(key.quoted) is expected here") }
      search?.enter(key, keyAt: tag.start, at: position)
      values[key] = try value(depth: depth + 1)
      search?.leave()
    }
    try closeTag("dict")
    return values
  }

  private mutating func list(depth: Int) throws(DocumentError) -> [PlainValue] {
    var values: [PlainValue] = []
    while true {
      try skipBetween()
      if isNext("</") { break }
      search?.enter(values.count, at: position)
      values.append(try value(depth: depth + 1))
      search?.leave()
    }
    try closeTag("array")
    return values
  }

  private func integer(_ text: String, _ start: Int) throws(DocumentError) -> Int64 {
    if let integer = Int64(text) { return integer }
    let isWhole = !text.isEmpty && text.drop { $0 == "-" || $0 == "+" }.allSatisfy { $0.isASCII && $0.isNumber }
    throw error(isWhole ? "the number is too large" : "an integer is expected here", at: start)
  }

  private func number(_ text: String, _ start: Int) throws(DocumentError) -> Double {
    let isPlain = text.allSatisfy { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
    guard isPlain, let number = Double(text) else { throw error("a number is expected here", at: start) }
    guard number.isFinite else { throw error("the number is too large", at: start) }
    return number
  }

  // MARK: Text

  private mutating func text(of tag: Tag) throws(DocumentError) -> String {
    if tag.isEmpty { return "" }
    var text: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "&"): text += String(try reference()).utf8
      case UInt8(ascii: "<"):
        if take("<![CDATA[") {
          try literal(into: &text)
        } else {
          guard isNext("</") else { throw error("'<' in a text is written '&lt;'") }
          try closeTag(tag.name)
          return String(decoding: text, as: UTF8.self)
        }
      default:
        try check(byte)
        text.append(byte)
        position += 1
      }
    }
    throw error("the text ends inside <\(tag.name)>")
  }

  private mutating func literal(into text: inout [UInt8]) throws(DocumentError) {
    let start = position - 9
    while position < bytes.count {
      if take("]]>") { return }
      try check(bytes[position])
      text.append(bytes[position])
      position += 1
    }
    throw error("<![CDATA[ is not terminated", at: start)
  }

  /// XML does not allow control characters, not even escaped.
  private func check(_ byte: UInt8) throws(DocumentError) {
    if byte < 0x20 && !PropertyListReader.isBlank(byte) {
      throw error("a control character cannot be in an XML property list")
    }
  }

  private mutating func reference() throws(DocumentError) -> Unicode.Scalar {
    let start = position
    let end = bytes[position...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
    guard let end else { throw error("'&' in a text is written '&amp;'") }
    position = end + 1
    let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    let number =
      if name.hasPrefix("#x") { UInt32(name.dropFirst(2), radix: 16) } else { UInt32(name.dropFirst(1)) }
    guard name.hasPrefix("#"), !name.contains(where: { $0 == "+" || $0 == "-" }), let number,
      let scalar = Unicode.Scalar(number), number >= 0x20 || [9, 10, 13].contains(number)
    else { throw error("'&\(name.asLine(longest: 12));' is not a character reference", at: start) }
    return scalar
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A strict [JSON](https://www.rfc-editor.org/rfc/rfc8259) parser whose errors name the position.
public struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0

  /// Deeper than any valid request, and safe for the stack.
  private static let deepestNesting = 64

  private var search: PlaceSearch?
  private var deepest = Self.deepestNesting
  /// Whether keys and elements that are `null` are left out; otherwise they are errors.
  private var omitsNull = false

  private init(_ text: String, search: PlaceSearch? = nil) {
    bytes = Array(text.utf8)
    self.search = search
  }

  /// Parses `text` as a single value.
  ///
  /// - Parameter omittingNull: whether to leave out keys and elements that are `null`, as other programs write them.
  public static func read(_ text: String, omittingNull: Bool = false) throws(DocumentError) -> PlainValue {
    try read(text, deepest: deepestNesting, omittingNull: omittingNull)
  }

  /// The same, with at most `deepest` lists and dictionaries in each other.
  static func read(_ text: String, deepest: Int, omittingNull: Bool) throws(DocumentError) -> PlainValue {
    var reader = JSONReader(text)
    reader.deepest = deepest
    reader.omitsNull = omittingNull
    let value = try reader.value(depth: 0)
    reader.skipBlanks()
    if reader.position < reader.bytes.count { throw reader.error("unexpected content after the value") }
    return value
  }

  /// The position in `text` of an error's value, or of the container that lacks it.
  static func place(of error: RequestError, in text: String, omittingNull: Bool = false) -> DocumentPlace? {
    var reader = JSONReader(text, search: PlaceSearch(for: error))
    reader.omitsNull = omittingNull
    reader.skipBlanks()
    reader.search?.begin(at: reader.position)
    _ = try? reader.value(depth: 0)
    return reader.search.map { DocumentPlace(of: $0.found, in: reader.bytes) }
  }

  private func error(_ problem: String) -> DocumentError {
    let isComment = next == UInt8(ascii: "/") || next == UInt8(ascii: "#")
    return DocumentError(
      at: DocumentPlace(of: position, in: bytes), isComment ? "JSON has no comments: remove this one" : problem)
  }

  private func tooDeep(_ most: Int) -> DocumentError { error("nested deeper than \(most) levels") }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || (0x09...0x0a).contains(byte) || byte == 0x0d { position += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(DocumentError) -> PlainValue {
    guard depth < Self.deepestNesting else { throw tooDeep(Self.deepestNesting) }
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if depth >= deepest { throw tooDeep(deepest) }
      return next == UInt8(ascii: "{") ? .dictionary(try dictionary(depth: depth)) : .list(try list(depth: depth))
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "t"): return try word("true", .flag(true))
    case UInt8(ascii: "f"): return try word("false", .flag(false))
    case UInt8(ascii: "n") where bytes[position...].starts(with: "null".utf8):
      throw error("'null' is not allowed; omit the key")
    case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
    case nil: throw error("the text ends where a value is expected")
    default: throw error("a value is expected here")
    }
  }

  private mutating func word(_ word: String, _ value: PlainValue) throws(DocumentError) -> PlainValue {
    guard bytes[position...].starts(with: word.utf8) else { throw error("a value is expected here") }
    position += word.utf8.count
    return value
  }

  private mutating func takeNull() -> Bool {
    skipBlanks()
    guard omitsNull, bytes[position...].starts(with: "null".utf8) else { return false }
    position += "null".utf8.count
    return true
  }

  private mutating func dictionary(depth: Int) throws(DocumentError) -> [String: PlainValue] {
    // Enough for most dictionaries: growing step by step would take longer than parsing.
    var values = [String: PlainValue](minimumCapacity: 8)
    var omitted: Set<String> = []
    position += 1
    skipBlanks()
    if take("}") { return values }
    while true {
      skipBlanks()
      if next == UInt8(ascii: "}") && !values.isEmpty { throw error("remove the comma before '}'") }
      guard next == UInt8(ascii: "\"") else { throw error("a key in double quotes is expected here") }
      let start = position
      let key = try string()
      guard values[key] == nil, !(omitsNull && omitted.contains(key)) else {
        position = start
        throw error("duplicate key \(key.quoted)")
      }
      skipBlanks()
      guard take(":") else { throw error("':' is expected after the key \(key.quoted)") }
      skipBlanks()
      search?.enter(key, keyAt: start, at: position)
      if takeNull() { omitted.insert(key) } else { values[key] = try value(depth: depth + 1) }
      search?.leave()
      skipBlanks()
      if take("}") { return values }
      guard take(",") else { throw error("',' or '}' is expected here") }
    }
  }

  private mutating func list(depth: Int) throws(DocumentError) -> [PlainValue] {
    var values: [PlainValue] = []
    position += 1
    skipBlanks()
    if take("]") { return values }
    while true {
      skipBlanks()
      if next == UInt8(ascii: "]") && !values.isEmpty { throw error("remove the comma before ']'") }
      search?.enter(values.count, at: position)
      if !takeNull() { values.append(try value(depth: depth + 1)) }
      search?.leave()
      skipBlanks()
      if take("]") { return values }
      guard take(",") else { throw error("',' or ']' is expected here") }
    }
  }

  private mutating func number() throws(DocumentError) -> PlainValue {
    let start = position
    _ = take("-")
    if !take("0") { try digits() }
    var isWhole = true
    if take(".") {
      isWhole = false
      try digits()
    }
    if take("e") || take("E") {
      isWhole = false
      _ = take("+") || take("-")
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else {
      position = start
      throw error("the number is too large")
    }
    return .number(number)
  }

  private mutating func digits() throws(DocumentError) {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    if position == start { throw error("a digit is expected here") }
  }

  // MARK: Strings

  private mutating func string() throws(DocumentError) -> String {
    position += 1
    // Most strings have no escapes and consist of this one piece.
    var text = piece()
    while !take("\"") {
      guard let byte = next else { throw error("the text ends inside a string") }
      guard byte >= 0x20 else { throw error("a control character in a string must be escaped") }
      position += 1
      text.unicodeScalars.append(try escape())
      text += piece()
    }
    return text
  }

  /// Reads literal characters up to a quote, an escape or a control character.
  private mutating func piece() -> String {
    let start = position
    bytes.withUnsafeBytes { position = JSONBytes.end(ofLiteralAt: start, in: $0) }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func escape() throws(DocumentError) -> Unicode.Scalar {
    guard let byte = next else { throw error("the text ends inside a string") }
    if let scalar = Self.simpleEscape(byte) {
      position += 1
      return scalar
    }
    guard byte == UInt8(ascii: "u") else { throw error("unknown escape sequence in a string") }
    let first = try codeUnit()
    guard (0xd800..<0xdc00).contains(first) else {
      guard let scalar = Unicode.Scalar(first) else { throw error("unpaired surrogate") }
      return scalar
    }
    guard take("\\"), next == UInt8(ascii: "u") else { throw error("unpaired surrogate") }
    let second = try codeUnit()
    guard (0xdc00..<0xe000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    else { throw error("unpaired surrogate") }
    return scalar
  }

  private static func simpleEscape(_ byte: UInt8) -> Unicode.Scalar? {
    switch byte {
    case UInt8(ascii: "\""): "\""
    case UInt8(ascii: "\\"): "\\"
    case UInt8(ascii: "/"): "/"
    case UInt8(ascii: "b"): "\u{8}"
    case UInt8(ascii: "f"): "\u{c}"
    case UInt8(ascii: "n"): "\n"
    case UInt8(ascii: "r"): "\r"
    case UInt8(ascii: "t"): "\t"
    default: nil
    }
  }

  private mutating func codeUnit() throws(DocumentError) -> UInt32 {
    position += 1
    guard position + 4 <= bytes.count,
      let unit = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16),
      bytes[position] != UInt8(ascii: "+"), bytes[position] != UInt8(ascii: "-")
    else { throw error("four hexadecimal digits are expected here") }
    position += 4
    return unit
  }
}

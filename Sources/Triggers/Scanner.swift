// SPDX-License-Identifier: Apache-2.0

/// Reads a short text from its front and keeps track of the column.
struct Scanner {
  /// Far longer than real input; longer texts are not parsed.
  static let longest = 4096

  /// A part between blanks.
  struct Word {
    let scanner: Scanner
    var column: Int { scanner.column }
    var text: String { scanner.rest }
    var startsWithLetter: Bool { scanner.peek.map(Scanner.isLetter) ?? false }
  }

  private let bytes: ArraySlice<UInt8>
  private var place: Int

  init(_ text: String, example: String) throws(TriggerError) {
    guard text.utf8.count <= Self.longest else {
      throw TriggerError(.invalid, "the text is longer than \(Self.longest) bytes", example: example)
    }
    self.init(Array(text.utf8)[...])
  }

  private init(_ bytes: ArraySlice<UInt8>) {
    // A slice keeps the indices of the whole text, and so the columns.
    self.bytes = bytes
    place = bytes.startIndex
  }

  /// The column in bytes, from 1.
  var column: Int { place + 1 }
  var isAtEnd: Bool { place == bytes.endIndex }
  var rest: String { String(decoding: bytes[place...], as: UTF8.self) }
  var peek: UInt8? { isAtEnd ? nil : bytes[place] }

  func words() -> [Word] {
    bytes.split(whereSeparator: Self.isBlank).map { Word(scanner: Scanner($0)) }
  }

  func restAsWord() -> Word { Word(scanner: Scanner(bytes[place...])) }

  /// Consumes exactly this text, if it is next.
  mutating func take(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { text in
      guard bytes[place...].starts(with: text) else { return false }
      place += text.count
      return true
    }
  }

  /// Consumes this text in any case, if it is next.
  mutating func takeWord(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { text in
      guard bytes.endIndex - place >= text.count,
        zip(bytes[place...], text).allSatisfy({ $0 == $1 || Self.isLetter($1) && $0 | 0x20 == $1 | 0x20 })
      else { return false }
      place += text.count
      return true
    }
  }

  mutating func skipBlanks() {
    while let next = peek, Self.isBlank(next) { place += 1 }
  }

  /// Splits at such characters; at least one part.
  func split(_ separator: Unicode.Scalar) -> [Scanner] {
    bytes[place...].split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false).map(Scanner.init)
  }

  func endsWith(_ character: Unicode.Scalar) -> Bool { bytes.last == UInt8(ascii: character) }

  /// Consumes all letters.
  mutating func letters() -> String {
    let start = place
    while let next = peek, Self.isLetter(next) { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  /// Consumes a number without a sign; returns nil, and consumes nothing, if there are no digits or too many.
  mutating func number(digits: Int) -> Int? {
    let start = place
    var number = 0
    while let next = peek, Self.isDigit(next) {
      guard place - start < digits else {
        place = start
        return nil
      }
      number = number * 10 + Int(next - UInt8(ascii: "0"))
      place += 1
    }
    return place == start ? nil : number
  }

  mutating func number(exactly digits: Int) -> Int? {
    let start = place
    guard let number = number(digits: digits), place - start == digits else {
      place = start
      return nil
    }
    return number
  }

  /// Consumes a number with or without a fraction, in millionths; smaller parts are cut off.
  mutating func decimal(digits: Int) -> Int? {
    guard let whole = number(digits: digits) else { return nil }
    var value = whole * 1_000_000
    let point = place
    // The point must not begin a range.
    guard peek == UInt8(ascii: "."), place + 1 < bytes.endIndex, Self.isDigit(bytes[place + 1]) else { return value }
    place += 1
    while let next = peek, Self.isDigit(next) {
      var unit = 100_000
      for _ in 0..<min(place - point - 1, 6) { unit /= 10 }
      value += unit * Int(next - UInt8(ascii: "0"))
      place += 1
    }
    return value
  }

  /// Whether the word has another dash or a tilde after a dash here.
  mutating func skipToSecondDash() -> Bool {
    guard take("-") else { return false }
    return bytes[place...].contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "~") }
  }

  func problem(_ problem: String, example: String? = nil) -> TriggerError {
    let found = isAtEnd ? "the text ends here" : "found \(rest.inQuotes)"
    return TriggerError(.invalid, "\(problem), but \(found)", column: column, example: example)
  }

  static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
  static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
  static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
  static func isZoneCharacter(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || "/_+-".utf8.contains(byte) }
}

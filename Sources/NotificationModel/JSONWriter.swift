// SPDX-License-Identifier: Apache-2.0

/// Writes JSON on one line. It collects bytes, because appending to a `String` checks its representation at every step.
struct JSONWriter {
  private var bytes: [UInt8] = []

  init() {
    // Enough for most requests.
    bytes.reserveCapacity(256)
  }

  /// The text written so far.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  // MARK: Values

  mutating func add(_ value: PlainValue) {
    switch value {
    case .text(let text): add(text)
    case .flag(let flag): addAsIs(flag ? "true" : "false")
    case .integer(let integer): addAsIs(String(integer))
    case .number(let number): addAsIs(number.isFinite ? "\(number)" : "null")  // JSON has no infinity
    case .list(let values):
      begin("[")
      for value in values {
        separate()
        add(value)
      }
      end("]")
    case .dictionary(let values):
      begin("{")
      for (name, value) in values.sorted(by: { $0.key < $1.key }) { add(name, value) }
      end("}")
    }
  }

  /// Adds an entry of an object.
  mutating func add(_ name: String, _ value: PlainValue) {
    separate()
    add(name)
    bytes.append(UInt8(ascii: ":"))
    add(value)
  }

  mutating func begin(_ bracket: Unicode.Scalar) { bytes.append(UInt8(ascii: bracket)) }
  mutating func end(_ bracket: Unicode.Scalar) { bytes.append(UInt8(ascii: bracket)) }

  /// Adds a comma, except right after an opening bracket.
  private mutating func separate() {
    if bytes.last == UInt8(ascii: "{") || bytes.last == UInt8(ascii: "[") { return }
    bytes.append(UInt8(ascii: ","))
  }

  // MARK: Texts

  private mutating func addAsIs(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  private mutating func add(_ text: String) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      // Most texts need no escapes.
      if Self.mayNeedEscape(utf8) { addEscaped(utf8) } else { bytes.append(contentsOf: utf8) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// 0xE2 begins U+2028 and U+2029, among many others.
  private static func mayNeedEscape(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    JSONBytes.end(ofLiteralAt: 0, in: UnsafeRawBufferPointer(utf8), before: 0xE2) < utf8.count
  }

  private mutating func addEscaped(_ utf8: UnsafeBufferPointer<UInt8>) {
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): addAsIs("\\\"")
      case UInt8(ascii: "\\"): addAsIs("\\\\")
      case UInt8(ascii: "\n"): addAsIs("\\n")
      case UInt8(ascii: "\r"): addAsIs("\\r")
      case UInt8(ascii: "\t"): addAsIs("\\t")
      case ..<32:
        addAsIs(byte < 16 ? "\\u000" : "\\u00")
        addAsIs(String(byte, radix: 16))
      // Some readers treat U+2028 and U+2029 as line ends, and the output must be one line.
      case 0xE2 where rest.starts(with: [0x80, 0xA8]) || rest.starts(with: [0x80, 0xA9]):
        addAsIs(rest.dropFirst().first == 0xA8 ? "\\u2028" : "\\u2029")
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
  }
}

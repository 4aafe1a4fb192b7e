// SPDX-License-Identifier: Apache-2.0

extension PlainValue {
  /// The value as one line of JSON, keys in order, so that equal values make equal lines.
  public var json: String {
    var text = ""
    write(to: &text)
    return text
  }

  func write(to text: inout String) {
    switch self {
    case .text(let string): Self.write(string, to: &text)
    case .flag(let flag): text += flag ? "true" : "false"
    case .integer(let integer): text += "\(integer)"
    case .number(let number): text += number.isFinite ? "\(number)" : "null"  // JSON has no infinity
    case .list(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .dictionary(let values):
      text += "{"
      for (index, entry) in values.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { text += "," }
        Self.write(entry.key, to: &text)
        text += ":"
        entry.value.write(to: &text)
      }
      text += "}"
    }
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    defer { text += "\"" }
    // Nearly every text goes in as it is, and much quicker so.
    guard string.utf8.contains(where: mayNeedEscape) else { return text += string }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      // U+2028 and U+2029 end a line for some readers; the line is the unit here.
      case _ where scalar.value < 32 || scalar.value == 0x2028 || scalar.value == 0x2029:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// 0xE2 begins U+2028, and much else.
  private static func mayNeedEscape(_ byte: UInt8) -> Bool {
    byte < 32 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0xE2
  }
}

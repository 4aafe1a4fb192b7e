// SPDX-License-Identifier: Apache-2.0

/// An identifier of an app in a form that the center keeps: 1 to 255 bytes without control characters, and none of its
/// own. Others are written in digits behind a tilde.
enum SentIdentifier {
  private static let mark = "~"
  /// Two digits for each byte.
  private static let longest = 127

  /// The form for the center.
  static func text(_ identifier: String) -> String {
    if isPlain(identifier) { return identifier }
    let bytes = Array(identifier.utf8)
    if bytes.count <= longest { return mark + digits(bytes) }
    // Too long to write out: the beginning, and a number that others do not have.
    return mark + digits(bytes.prefix(longest - 24)) + "#" + String(hash(bytes), radix: 16)
  }

  /// The identifier of the app; nil if it was too long to be written out.
  static func identifier(_ text: String) -> String? {
    guard text.hasPrefix(mark) else { return text }
    var bytes: [UInt8] = []
    let digits = Array(text.utf8.dropFirst())
    guard digits.count % 2 == 0 else { return nil }
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16) else { return nil }
      bytes.append(byte)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static let reserved: Set<String> = ["default", "dismiss", "list"]

  private static func isPlain(_ text: String) -> Bool {
    1...255 ~= text.utf8.count && !text.utf8.contains { $0 < 32 || $0 == 127 } && !text.hasPrefix(mark)
      && !text.hasPrefix("dev.suzu.") && !reserved.contains(text)
  }

  private static func digits(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// FNV-1a with 64 bits.
  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Hints for the notification server that have no key of their own.
public enum ServerHint {
  /// Hints with a key of their own, which is checked: a server must not get unchecked values.
  public static let words: [String: String] = [
    "urgency": "level", "value": "progress", "image-path": "image", "image_path": "image", "image-data": "image",
    "image_data": "image", "icon_data": "image", "sound-file": "sound", "sound-name": "sound",
    "suppress-sound": "sound", "action-icons": "actions",
  ]

  static func check(_ hints: [String: PlainValue]) throws(RequestError) {
    // In order, so that the same request always gets the same error.
    for (name, value) in hints.sorted(by: { $0.key < $1.key }) {
      guard 1...255 ~= name.utf8.count, !name.utf8.contains(where: { $0 < 32 || $0 == 127 }) else {
        throw RequestError("hints", "must be named with 1 to 255 bytes of text without control characters")
      }
      // The bar alone, as other programs send it; 'progress' also reaches servers that draw a bar without the texts.
      if name == "value", case .integer(let number) = value, 0...100 ~= number { continue }
      if let word = words[name] { throw RequestError("hints.\(name)", "has a key of its own; use '\(word)'") }
      switch value {
      case .text(let text) where text.utf8.contains(0):
        throw RequestError("hints.\(name)", "must not contain NUL characters")
      case .text, .flag, .integer, .number: break
      case .list, .dictionary: throw RequestError("hints.\(name)", "must be a string, a number, true or false")
      }
    }
  }
}

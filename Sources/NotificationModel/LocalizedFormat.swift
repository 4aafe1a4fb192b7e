// SPDX-License-Identifier: Apache-2.0

/// The text of a `loc-key`. Apple's systems look the key up in the tables of the app, which do not exist here. A key
/// that is missing there stands for itself, and most keys are the text in one language.
enum LocalizedFormat {
  /// The longest text: a place may be repeated, and each time be filled with the longest argument.
  static let longest = PushPayload.longest

  /// Fills `%@`, `%2$@` and their like with arguments; nil if the text would be longer than ``longest``.
  static func fill(_ format: String, with arguments: [String]) -> String? {
    var text = ""
    var next = 0
    var rest = format[...]
    while let percent = rest.firstIndex(of: "%") {
      text += rest[..<percent]
      rest = rest[rest.index(after: percent)...]
      if rest.first == "%" {
        text += "%"
        rest.removeFirst()
        continue
      }
      var place = rest
      var index: Int?
      let digits = place.prefix { $0.isASCII && $0.isNumber }
      if !digits.isEmpty, place.dropFirst(digits.count).first == "$" {
        // A number that is too large is that of no argument.
        index = (Int(digits) ?? 0) - 1
        place = place.dropFirst(digits.count + 1)
      }
      guard let letter = place.first, "@diu".contains(letter) else {
        text += "%"
        continue
      }
      if index == nil {
        index = next
        next += 1
      }
      rest = place.dropFirst()
      if let index, arguments.indices.contains(index) { text += arguments[index] }
      if text.utf8.count > longest { return nil }
    }
    text += rest
    return text.utf8.count > longest ? nil : text
  }
}

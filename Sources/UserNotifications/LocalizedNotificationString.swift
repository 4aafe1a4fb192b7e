// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension NSString {
  /// Returns the text for a key in the `Localizable` table of the app, filled with arguments.
  ///
  /// Apple's systems look it up when the notification is shown. Here it is looked up now, in the language of the
  /// program.
  public class func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
    let format = Bundle.main.localizedString(forKey: key, value: key, table: nil)
    guard let arguments, !arguments.isEmpty else { return format }
    return filled(format, arguments)
  }

  /// Fills in `%@`, `%d`, `%1$@` and their like. By hand, because a format with other arguments than it names reads
  /// memory that is not there.
  private static func filled(_ format: String, _ arguments: [Any]) -> String {
    var result = ""
    var next = 0
    var rest = format[...]
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      rest = rest[rest.index(after: percent)...]
      if rest.first == "%" {
        result += "%"
        rest.removeFirst()
        continue
      }
      let digits = rest.prefix { $0.isNumber }
      var index = next
      if let number = Int(digits), rest.dropFirst(digits.count).first == "$" {
        index = number - 1
        rest = rest.dropFirst(digits.count + 1)
      } else {
        next += 1
      }
      // What stands before the letter is a width or a size.
      guard let letter = rest.firstIndex(where: { $0.isLetter && !"lhqz".contains($0) || $0 == "@" }) else {
        result += "%"
        continue
      }
      let specification = String(rest[...letter])
      rest = rest[rest.index(after: letter)...]
      if arguments.indices.contains(index) { result += text(arguments[index], specification) }
    }
    return result + rest
  }

  private static func text(_ argument: Any, _ specification: String) -> String {
    guard let number = argument as? NSNumber, let letter = specification.last, letter != "@" else {
      return "\(argument)"
    }
    let width = specification.dropLast().filter { !"lhqz".contains($0) }
    switch letter {
    case "d", "i": return String(format: "%\(width)lld", number.int64Value)
    case "u", "x", "X", "o": return String(format: "%\(width)ll\(letter)", number.uint64Value)
    case "f", "e", "g", "F", "E", "G": return String(format: "%\(width)\(letter)", number.doubleValue)
    default: return "\(argument)"
    }
  }
}

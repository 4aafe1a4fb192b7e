// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// The maximum length of a program's arguments. The kernel refuses longer ones (E2BIG), and the user must not discover
/// that only when pressing the button.
public enum ArgumentLimit {
  /// The kernel's limit for one argument or environment variable: 128 KiB including the NUL.
  public static let longestArgument = (128 << 10) - 1
  /// The limit for all arguments together. The kernel allows a quarter of the stack limit, usually 2 MiB, for these and
  /// the environment.
  public static let longestCommand = 1 << 20

  /// A pointer and a NUL.
  static let costOfArgument = 9

  /// Describes what prevents starting a program with these arguments; nil if nothing does.
  public static func problem(of words: [String]) -> String? {
    problem(of: words.lazy.map(\.utf8.count))
  }

  /// The same for lengths in bytes.
  static func problem(of lengths: some Sequence<Int>) -> String? {
    var total = 0
    for length in lengths {
      guard length <= longestArgument else {
        return "an argument of \(length) bytes; the system allows \(longestArgument); \(advice)"
      }
      total += length + costOfArgument
    }
    guard total <= longestCommand else {
      return "arguments of \(total) bytes in total; the system allows \(longestCommand); \(advice)"
    }
    return nil
  }

  private static let advice = "pass long texts on standard input, which carries the response as JSON"
}

extension Action {
  /// Refuses a `run` or a `url` that could not be started for `request`, because filling in its placeholders makes it
  /// too long. In a `run`, a reply counts with its maximum length; a key that `userInfo` does not have counts as empty.
  /// Without a request, all of its texts count as empty.
  ///
  /// Cheap for short texts: templates are not parsed then.
  public func checkLengths(in request: NotificationRequest? = nil) throws(RequestError) {
    let texts: [String]
    let isURL: Bool
    switch effect {
    case .run(let words): (texts, isURL) = (words, false)
    case .url(let url): (texts, isURL) = ([url], true)
    case .launch, .http, .snooze, .snoozeUntil, nil: return
    }
    if isShort(texts, isURL, request) { return }
    var lengths: [Int] = []
    for text in texts {
      lengths.append(try Template(text).length(for: id, in: request, encoded: isURL))
    }
    if let problem = ArgumentLimit.problem(of: lengths) {
      throw RequestError("", "the action \(id.quoted) would start a program with \(problem)")
    }
  }

  /// Whether these cannot be too long, even with the longest text in every possible placeholder.
  private func isShort(_ texts: [String], _ isURL: Bool, _ request: NotificationRequest?) -> Bool {
    var longestPlace: Int?
    var total = 0
    for text in texts {
      var bound = text.utf8.count
      let places = text.utf8.count { $0 == UInt8(ascii: "{") }
      if places > 0 {
        let longest = longestPlace ?? Self.longestText(of: request)
        longestPlace = longest
        bound += places * (isURL ? 3 * longest : max(longest, Reply.longest))
      }
      guard bound <= ArgumentLimit.longestArgument else { return false }
      total += bound + ArgumentLimit.costOfArgument
    }
    return total <= ArgumentLimit.longestCommand
  }

  /// An upper bound of the longest text of the request that can be filled in.
  private static func longestText(of request: NotificationRequest?) -> Int {
    // Identifiers have at most 255 bytes.
    guard let content = request?.content else { return EventText.longestValue }
    var longest = max(EventText.longestValue, content.title.utf8.count, content.body?.utf8.count ?? 0)
    for value in content.userInfo.values {
      let length =
        switch value {
        case .text(let text): text.utf8.count
        case .list, .dictionary: value.json.utf8.count
        default: 32
        }
      longest = max(longest, length)
    }
    return longest
  }
}

extension Template {
  /// The length in bytes with its placeholders filled in, as far as known.
  fileprivate func length(for action: String, in request: NotificationRequest?, encoded: Bool) -> Int {
    length { place in
      let text: String
      switch place {
      case .id: text = request?.id?.text ?? ""
      case .app: text = request?.app.text ?? ""
      case .action: text = action
      case .title: text = request?.content.title ?? ""
      case .body: text = request?.content.body ?? ""
      // In a URL, each byte may become three: with the longest reply, every URL that uses one would be refused.
      case .reply: return encoded ? 0 : Reply.longest
      case .userInfo(let key):
        switch request?.content.userInfo[key] {
        case .text(let value): text = value
        case let value?: text = value.json
        case nil: text = ""
        }
      case .event: return EventText.longestValue * (encoded ? 3 : 1)
      }
      return encoded ? PercentCoding.encodedLength(text) : text.utf8.count
    }
  }
}

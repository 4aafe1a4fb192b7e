// SPDX-License-Identifier: Apache-2.0

/// How long the arguments of a program may be. The kernel starts none with longer ones (E2BIG), which must not come out
/// when the button is pressed.
public enum ArgumentLimit {
  /// The kernel's, of one argument or one variable of the environment: 128 KiB with the NUL behind it.
  public static let longestArgument = (128 << 10) - 1
  /// Of all arguments together. The kernel has a quarter of the stack's limit, usually 2 MiB, for these and the environment.
  public static let longestCommand = 1 << 20

  /// A pointer and a NUL.
  static let costOfArgument = 9

  /// What keeps a program with these arguments from being started, in half a sentence; nil: nothing does.
  public static func problem(of words: [String]) -> String? {
    problem(of: words.lazy.map(\.utf8.count))
  }

  /// The same for lengths in bytes.
  static func problem(of lengths: some Sequence<Int>) -> String? {
    var total = 0
    for length in lengths {
      guard length <= longestArgument else {
        return "an argument of \(length) bytes, and the system takes \(longestArgument); \(advice)"
      }
      total += length + costOfArgument
    }
    guard total <= longestCommand else {
      return "arguments of \(total) bytes together, which is more than \(longestCommand); \(advice)"
    }
    return nil
  }

  private static let advice = "let the program read long texts from its standard input, which is JSON"
}

extension Action {
  /// Refuses a `run` or a `url` that could not be started for `request`, because what is filled in makes it too long. A
  /// reply counts with its greatest length, in a `run`; a key that `userInfo` does not have, with none.
  ///
  /// Cheap where nothing is long: then no template is read.
  public func checkLengths(in request: NotificationRequest) throws(RequestError) {
    let texts: [String]
    let isURL: Bool
    switch effect {
    case .run(let words): (texts, isURL) = (words, false)
    case .url(let url): (texts, isURL) = ([url], true)
    case .launch, .snooze, nil: return
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

  /// Whether these cannot be too long, with the longest text in every place that they may have.
  private func isShort(_ texts: [String], _ isURL: Bool, _ request: NotificationRequest) -> Bool {
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

  /// At least the length of the longest text of the request that can be filled in.
  private static func longestText(of request: NotificationRequest) -> Int {
    // Identifiers have 255 bytes at most.
    var longest = max(255, request.title.utf8.count, request.body?.utf8.count ?? 0)
    for value in request.userInfo.values {
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
  /// How many bytes it has with its places filled, as far as that is known.
  fileprivate func length(for action: String, in request: NotificationRequest, encoded: Bool) -> Int {
    length { place in
      let text: String
      switch place {
      case .id: text = request.id ?? ""
      case .app: text = request.app
      case .action: text = action
      case .title: text = request.title
      case .body: text = request.body ?? ""
      // In a URL, where each of its bytes may become three, the longest would refuse every URL that has one.
      case .reply: return encoded ? 0 : Reply.longest
      case .userInfo(let key):
        switch request.userInfo[key] {
        case .text(let value): text = value
        case let value?: text = value.json
        case nil: text = ""
        }
      }
      return encoded ? Self.encodedLength(text) : text.utf8.count
    }
  }
}

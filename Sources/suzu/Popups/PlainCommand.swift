// SPDX-License-Identifier: Apache-2.0

/// A line of input to a notification server without a screen.
struct PlainCommand: Equatable, Sendable {
  enum Verb: Equatable, Sendable {
    /// The button's number, counted from one as printed.
    case press(Int)
    case open
    case dismiss
    case reply(String)
    case help
    case quit
  }

  /// Nil means the newest open popup.
  let id: UInt32?
  let verb: Verb

  /// The output of `help`.
  static let help = [
    "1, 2, 3 ...     press that button of the newest notification",
    "open            click the newest notification itself (an empty line does the same)",
    "dismiss         close the newest notification",
    "reply TEXT      answer the newest notification with a line of text",
    "ID:COMMAND      do the same with notification ID, for example 3:1 or 3:dismiss",
    "help            print this list",
    "quit            end this notification server",
  ]

  /// Nil if the line is not a command.
  init?(_ line: some StringProtocol) {
    var rest = Substring(line).trimmed
    var id: UInt32?
    if let colon = rest.firstIndex(of: ":") {
      var number = rest[..<colon].trimmed
      if number.first == "#" { number = number.dropFirst() }
      // "reply at 10:30" contains a colon too.
      if let value = UInt32(number) {
        id = value
        rest = rest[rest.index(after: colon)...].trimmed
      }
    }
    self.id = id
    let parts = rest.split(separator: " ", maxSplits: 1)
    let word = parts.first.map(String.init) ?? ""
    let argument = parts.count > 1 ? parts[1].trimmed : ""
    switch word {
    case "reply" where !argument.isEmpty: verb = .reply(String(argument))
    case _ where !argument.isEmpty: return nil
    case "", "open": verb = .open
    case "dismiss": verb = .dismiss
    case "help" where id == nil: verb = .help
    case "quit" where id == nil: verb = .quit
    default:
      guard let number = Int(word), number > 0 else { return nil }
      verb = .press(number)
    }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var rest = drop { $0.isWhitespace }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return rest
  }
}

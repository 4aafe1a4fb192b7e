// SPDX-License-Identifier: Apache-2.0

/// One line that somebody, or a program, writes to a server without a screen.
struct PlainCommand: Equatable, Sendable {
  enum Verb: Equatable, Sendable {
    /// Counted from one, as printed.
    case press(Int)
    case open
    case dismiss
    case reply(String)
    case quit
  }

  /// nil: the newest open popup.
  let id: UInt32?
  let verb: Verb

  /// nil: not a command.
  init?(_ line: some StringProtocol) {
    var rest = Substring(line).trimmed
    var id: UInt32?
    if let colon = rest.firstIndex(of: ":") {
      var number = rest[..<colon].trimmed
      if number.first == "#" { number = number.dropFirst() }
      // "reply at 10:30" has a colon too.
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

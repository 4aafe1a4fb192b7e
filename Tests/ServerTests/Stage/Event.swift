// SPDX-License-Identifier: Apache-2.0

/// A line of `suzu watch --json`.
struct Event: Decodable {
  var event: String
  var id: String?
  var action: String?
  var reply: String?
  var reason: String?
  var response: Int?
  var outcome: String?
}

extension Event {
  /// The event in words, for messages.
  var words: String { [event, id, action, reply, reason, outcome].compactMap { $0 }.joined(separator: " ") }
}

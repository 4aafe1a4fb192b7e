// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// The names of topics, and the filters that subscribe to several (MQTT 5, section 4.7).
package enum MQTTTopic {
  /// The longest filter of a link, in bytes.
  static let longest = 256

  /// Whether a message can have this topic.
  static func isName(_ text: String) -> Bool {
    (1...65_535).contains(text.utf8.count) && text.utf8.allSatisfy { $0 != 0 && $0 != 0x23 && $0 != 0x2B }
  }

  /// Checks a filter: `+` stands for one part, `#` at the end for all that follow.
  package static func checked(_ filter: String) throws(RequestError) -> String {
    let parts = filter.split(separator: "/", omittingEmptySubsequences: false)
    let isFilter =
      (1...longest).contains(filter.utf8.count) && !filter.hasPrefix("$")
      && filter.unicodeScalars.allSatisfy { $0.value > 31 && $0.value != 127 }
      && parts.enumerated().allSatisfy { index, part in
        part == "+" || part == "#" && index == parts.count - 1 || part.utf8.allSatisfy { $0 != 0x23 && $0 != 0x2B }
      }
    guard isFilter else {
      throw RequestError("", "must be a topic, such as 'suzu/ann/#', where '+' is one part and '#' all that follow")
    }
    return filter
  }

  /// An example of a topic that matches a filter.
  package static func example(of filter: String) -> String {
    filter.split(separator: "/", omittingEmptySubsequences: false)
      .map { $0 == "+" || $0 == "#" ? "suzu-link-test" : String($0) }.joined(separator: "/")
  }

  /// The messages for a user.
  package static func usual(for user: String) -> String { "suzu/\(user)/#" }
}

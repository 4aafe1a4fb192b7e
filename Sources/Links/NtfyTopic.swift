// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The name of a topic of ntfy.
enum NtfyTopic {
  static func checked(_ topic: String) throws(RequestError) -> String {
    let isTopic =
      (1...64).contains(topic.utf8.count)
      && topic.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
      }
    guard isTopic else { throw RequestError("", "must be 1 to 64 letters, digits, dashes and underscores") }
    return topic
  }
}

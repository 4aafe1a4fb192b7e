// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// A line of a subscription of ntfy, as <https://docs.ntfy.sh/subscribe/api/> describes it.
package enum NtfyEvent: Hashable, Sendable {
  /// The server will send messages. With its date.
  case open(date: Int64?)
  /// The connection lives.
  case keepalive
  case message(NtfyMessage)
  /// The message with this sequence id is taken back.
  case withdraw(id: String, sequence: String)
  /// There are messages that were not sent: read again.
  case pollRequest(id: String?)
  /// An event that is not known, which a newer server may send.
  case other

  /// Reads a line; nil if it is none of ntfy.
  package init?(_ line: [UInt8]) {
    guard let text = String(validating: line, as: UTF8.self),
      case .dictionary(let values)? = try? JSONReader.read(text, omittingNull: true),
      case .text(let event)? = values["event"]
    else { return nil }
    var date: Int64? { if case .integer(let date)? = values["time"], date > 0 { date } else { nil } }
    func name(_ key: String) -> String? {
      guard case .text(let id)? = values[key], Self.isID(id) else { return nil }
      return id
    }
    switch event {
    case "open": self = .open(date: date)
    case "keepalive": self = .keepalive
    case "poll_request": self = .pollRequest(id: name("id"))
    case "message":
      guard let id = name("id") else { return nil }
      self = .message(NtfyMessage(id, sequence: name("sequence_id"), values))
    case "message_delete", "message_clear":
      guard let id = name("id"), let sequence = name("sequence_id") else { return nil }
      self = .withdraw(id: id, sequence: sequence)
    default: self = .other
    }
  }

  /// Ids come back to the server in an address, and to the center as ids of requests.
  static func isID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
      }
  }
}

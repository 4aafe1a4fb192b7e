// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// The answer to a notification on one of the desktops that show it, as it goes over the server.
package struct LinkAnswer: Hashable, Sendable {
  /// The sender's id of the message.
  package let id: String
  /// The action that was chosen.
  package let action: String
  /// The text that the user typed.
  package internal(set) var reply: String?
  /// The id of the desktop.
  package let device: String
  /// The name of the desktop.
  package let name: String
  /// When, in Unix seconds.
  package let at: Int64

  /// The word of MQTT by which an answer is told from a message; the tag of ntfy, for people.
  package static let mark = "suzu-answer"
  /// The longest answer, in bytes.
  package static let longest = 16_384
  /// How long a server keeps it, in seconds: as long as the center knows ids.
  package static let age: UInt32 = 7 * 86_400

  package init(id: String, action: String, reply: String?, device: String, name: String, at: Int64) {
    (self.id, self.action, self.reply) = (id, action, reply)
    (self.device, self.name, self.at) = (device, name, at)
  }

  /// Reads an answer of another desktop; nil if it is none.
  package init?(_ json: String) {
    guard json.utf8.count <= Self.longest, case .dictionary(let words)? = try? JSONReader.read(json) else { return nil }
    func text(_ key: String) -> String? { if case .text(let text)? = words[key] { text } else { nil } }
    guard let id = text("id"), NtfyEvent.isID(id), let action = text("action"), let device = text("device"),
      (1...64).contains(device.utf8.count), let name = text("name"), (1...64).contains(name.utf8.count),
      case .integer(let at)? = words["at"]
    else { return nil }
    self.init(id: id, action: action, reply: text("reply"), device: device, name: name, at: at)
  }

  package var json: String {
    var words: [String: PlainValue] = [
      "id": .text(id), "action": .text(action), "device": .text(device), "name": .text(name), "at": .integer(at),
    ]
    words["reply"] = reply.map { .text($0) }
    return PlainValue.dictionary(words).json
  }

  /// Where the answers to the messages of a topic of ntfy go: to another topic, so that a desktop needs no right to
  /// publish messages, and a phone with the app of ntfy does not show the answers.
  package static func topic(besides topic: String) -> String { topic + "-answers" }

  /// The answer in a message of such a topic; nil if it is none.
  package init?(_ message: NtfyMessage) {
    guard !message.isBinary else { return nil }
    self.init(message.text)
  }

  /// Where the answer to a message of a topic of MQTT goes. Each message has a topic of its own, whose state it is.
  package static func topic(of message: String, below topic: String) -> String { "\(topic)/answers/\(message)" }

  /// The filter for the answers to the messages that a filter lets through; nil if it lets them through itself.
  package static func filter(below filter: String) -> String? {
    filter == "#" || filter.hasSuffix("/#") ? nil : filter + "/answers/+"
  }

  /// The message of MQTT: the state of its topic, by which a desktop that connects later knows.
  package func message(to topic: String, number: UInt16) -> MQTTMessage {
    var properties = MQTTProperties()
    properties.words = [MQTTProperties.Word(Self.mark, device)]
    properties.expiry = Self.age
    return MQTTMessage(topic: topic, number: number, isRetained: true, properties, Array(json.utf8))
  }
}

/// An answer that the center hands over to be sent.
package struct OutgoingAnswer: Hashable, Sendable {
  package let answer: LinkAnswer
  /// Where it goes, as the link has said with the message.
  package let topic: String

  /// - Parameter name: that of this machine.
  package init?(_ words: [String: PlainValue], from device: DeviceID, _ name: String) {
    func text(_ key: String) -> String? { if case .text(let text)? = words[key] { text } else { nil } }
    guard let id = text("push"), let action = text("action"), let topic = text("to"),
      case .integer(let at)? = words["at"]
    else { return nil }
    self.topic = topic
    answer = LinkAnswer(id: id, action: action, reply: text("reply"), device: device.text, name: name, at: at)
  }
}

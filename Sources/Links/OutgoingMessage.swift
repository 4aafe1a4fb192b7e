// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// A message that waits in the center, without its content.
package struct OutgoingItem: Hashable, Sendable {
  /// Its number in the center.
  package let number: UInt64
  /// The name of the link over which it goes; nil for the only one that sends.
  package let link: String?
  /// Whether it is a call of a server, which goes over no link.
  package let isCall: Bool
  /// Whether it is the answer to a message.
  package let isAnswer: Bool

  package init(number: UInt64, link: String?, isCall: Bool = false, isAnswer: Bool = false) {
    (self.number, self.link, self.isCall, self.isAnswer) = (number, link, isCall, isAnswer)
  }
}

/// A notification that the center lets a link send.
package struct OutgoingMessage: Hashable, Sendable {
  /// The same in all messages of one notification. If a message is sent twice, a server that supports it shows one.
  package let id: String
  package let title: String
  package let text: String
  package let level: NotificationRequest.Level
  /// The page that a click opens; nil if there is none.
  package let url: String?

  package init(id: String, title: String, text: String, level: NotificationRequest.Level, url: String? = nil) {
    (self.id, self.title, self.text, self.level, self.url) = (id, title, text, level, url)
  }

  /// The message of a center; nil if it lacks something.
  ///
  /// - Parameter device: the id of this machine, whose deliveries are numbered.
  package init?(_ words: [String: PlainValue], from device: DeviceID) {
    func text(_ key: String) -> String? { if case .text(let text)? = words[key] { text } else { nil } }
    guard case .integer(let delivery)? = words["delivery"], let title = text("title"), let body = text("body"),
      let level = text("level").flatMap(NotificationRequest.Level.init)
    else { return nil }
    self.init(id: "suzu-\(device.text)-\(delivery)", title: title, text: body, level: level, url: text("url"))
  }
}

// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// A link: a topic on a server of ntfy or MQTT, or a registration of UnifiedPush, whose messages become notifications
/// of an app.
///
/// The link, which its user has made, says which app, categories and levels these have; the sender does not.
package struct LinkDefinition: Hashable, Sendable {
  /// What the text of a message is.
  package enum Format: String, Sendable, CaseIterable {
    /// What the notification says.
    case text
    /// A payload as for Apple's push service, in JSON.
    case apns
  }

  /// The app of its notifications.
  package var app: AppID
  /// The server.
  package var server: ServerAddress
  /// The topic there; empty with UnifiedPush, which has none.
  package var topic: String
  /// The topic on that server to which notifications that stay unanswered are sent; nil if the link sends nothing.
  package var send: String?
  /// Whether messages of ``topic`` are shown.
  package var receives = true
  /// Whether an answer to a message takes its notification down on the other desktops of the topic, and the other way
  /// round.
  package var answers = false
  /// How to sign in; nil if the topic is open to all.
  package var secret: LinkSecret?
  /// A file with the certificates of the only authorities that count; nil for those of the system.
  package var authority: String?
  /// A file with the certificate that this desktop shows to its server, and its key.
  package var clientCertificate: String?
  /// With UnifiedPush, the public key of the only sender, by which the push server knows it; nil for any sender.
  package var vapid: String?
  /// The levels that its notifications may have.
  package var levels: [NotificationRequest.Level] = Self.usualLevels
  /// The category of all its notifications.
  package var category: CategoryID?
  /// The categories that a payload may name; nil for none but ``category``.
  package var categories: [CategoryID]?
  /// The servers that a message may ask to call, with a button; empty for none.
  package var hosts: [CallHost] = []
  /// Whether the icon and the picture of a message are fetched, from ``hosts`` only.
  package var pictures = false
  /// What the text of a message is.
  package var format = Format.text
  /// How much it accepts.
  package var limits = LinkLimits()
  /// After this time without a byte, the connection counts as dead. A server of ntfy sends one at least every 45
  /// seconds; one of MQTT answers a question in the half of this time.
  package var silence: Duration = .seconds(120)

  /// A link with the usual settings.
  package init(app: AppID, server: ServerAddress, topic: String) throws(RequestError) {
    self.app = app
    self.server = server
    self.topic = try server.transport.checked(topic: topic)
  }

  /// `critical`, which is shown at all times, must be allowed.
  package static let usualLevels: [NotificationRequest.Level] = [.passive, .active, .timeSensitive]

  /// The topic with the answers to its messages; nil if there is none, or each answer has its own.
  package var answerTopic: String? {
    answers && server.transport.answers == .besideTopic ? LinkAnswer.topic(besides: topic) : nil
  }

  /// All categories that its notifications may have.
  package var allowedCategories: [String] {
    var names = (categories ?? []).map(\.text)
    if let category, !names.contains(category.text) { names.append(category.text) }
    return names
  }
}

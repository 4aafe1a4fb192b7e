// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// How a server is spoken to, and what links over it may say. How they run is in `RunningLinks`, as a `LinkTransport`.
package enum Transport: String, Sendable, CaseIterable {
  case ntfy, mqtt
  case unifiedPush = "unifiedpush"

  /// What the address of a server begins with, with TLS first; empty if ``ServerAddress`` reads another form.
  var schemes: [String] {
    switch self {
    case .ntfy: ["https://", "http://"]
    case .mqtt: ["mqtts://", "mqtt://"]
    case .unifiedPush: []
    }
  }

  /// The usual ports, with TLS and without, of a protocol that is not HTTP; nil for HTTP.
  var ports: (encrypted: UInt16, plain: UInt16)? {
    switch self {
    case .mqtt: (8883, 1883)
    case .ntfy, .unifiedPush: nil
    }
  }

  /// Whether a server may be at a path of its host.
  var hasPaths: Bool {
    switch self {
    case .ntfy: true
    // What follows in an address is a topic.
    case .mqtt, .unifiedPush: false
    }
  }

  /// Whether a link names a topic of its server.
  var hasTopics: Bool {
    switch self {
    case .ntfy, .mqtt: true
    case .unifiedPush: false
    }
  }

  /// Checks the name of a topic, in the form that the server knows.
  package func checked(topic: String) throws(RequestError) -> String {
    switch self {
    case .ntfy: return try NtfyTopic.checked(topic)
    case .mqtt: return try MQTTTopic.checked(topic)
    case .unifiedPush:
      guard topic.isEmpty else { throw RequestError("", "is not for UnifiedPush") }
      return topic
    }
  }

  /// Whether a link can send notifications that stay unanswered here.
  package var sends: Bool {
    switch self {
    case .ntfy: true
    case .mqtt, .unifiedPush: false
    }
  }

  /// Whether a message may have buttons of its own, and pictures.
  var hasActions: Bool {
    switch self {
    case .ntfy: true
    case .mqtt, .unifiedPush: false
    }
  }

  /// Where the answers to messages go.
  var answers: Answers {
    switch self {
    case .ntfy: .besideTopic
    case .mqtt: .beneathMessage
    case .unifiedPush: .nowhere
    }
  }

  enum Answers {
    /// All to one topic, beside that of the messages.
    case besideTopic
    /// Each to a topic of its own.
    case beneathMessage
    /// The sender never hears of them.
    case nowhere
  }

  /// Whether a link has keys of its own, with which its messages are encrypted, instead of signing in at a server.
  var hasKeys: Bool {
    switch self {
    case .ntfy, .mqtt: false
    case .unifiedPush: true
    }
  }
}

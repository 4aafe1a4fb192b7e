// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The subscriber's half of its session with a server; the server's half is useless without it.
///
/// A message of MQTT has no id, only a number as long as it is not acknowledged. After a lost connection, the server
/// sends those again whose acknowledgment it has not got, under their numbers; with the id that each was given before
/// it was passed on, the center knows it.
package struct MQTTSession: Hashable, Sendable {
  /// A message whose acknowledgment the server may not have got yet.
  package struct Flight: Hashable, Sendable {
    /// With the name of the session, the id of the message.
    package let count: Int64
    package let digest: MQTTDigest
  }

  /// The state of a topic that was shown last.
  package struct Shown: Hashable, Sendable {
    package let topic: MQTTDigest
    package let content: MQTTDigest
  }

  /// The client id of this desktop. It is random: the server would disconnect one of two desktops with the same id.
  package let client: String
  /// How many messages were given an id.
  package private(set) var count: Int64 = 0
  package private(set) var flights: [UInt16: Flight] = [:]
  /// The oldest first.
  package private(set) var shown: [Shown] = []

  /// How many states of topics are remembered.
  package static let mostShown = 256

  package init(client: String) { self.client = client }

  /// A session of a new name.
  package static func new(using generator: inout some RandomNumberGenerator) -> MQTTSession {
    let digits = (0..<16).map { _ in String(Int.random(in: 0..<36, using: &generator), radix: 36) }.joined()
    return MQTTSession(client: "suzu" + digits)
  }

  /// The id of a message without an id of its own.
  package func id(_ flight: Flight) -> String { "\(client)-\(flight.count)" }

  // MARK: Messages

  /// Whether a message may be one that the server sends again.
  package func knows(_ number: UInt16, _ digest: MQTTDigest) -> Bool { flights[number]?.digest == digest }

  /// Gives a message an id. A message without a number is never sent again, so its id is not remembered.
  package mutating func begin(_ number: UInt16?, _ digest: MQTTDigest) -> Flight {
    count += 1
    let flight = Flight(count: count, digest: digest)
    if let number { flights[number] = flight }
    return flight
  }

  /// The server has got the acknowledgment.
  package mutating func end(_ number: UInt16) { flights[number] = nil }

  /// The server has forgotten the earlier messages.
  package mutating func restart() { flights = [:] }

  // MARK: States of topics

  /// Whether this was the last state of a topic that was shown.
  package func hasShown(_ message: MQTTMessage) -> Bool {
    shown.contains(Shown(topic: MQTTDigest(message.topic.utf8), content: message.digest))
  }

  /// A state was shown, or taken back.
  @discardableResult
  package mutating func note(_ message: MQTTMessage) -> Change {
    let (topic, content) = (MQTTDigest(message.topic.utf8), message.isTombstone ? nil : message.digest)
    note(topic, content)
    return .noted(topic: topic, content: content)
  }

  private mutating func note(_ topic: MQTTDigest, _ content: MQTTDigest?) {
    shown.removeAll { $0.topic == topic }
    guard let content else { return }
    shown.append(Shown(topic: topic, content: content))
    if shown.count > Self.mostShown { shown.removeFirst() }
  }
}

extension MQTTSession {
  /// How many ids may be given between two writes of the state of the link.
  package static let mostUnwritten: Int64 = 1000

  /// An id that was given, and is lost with the machine, must not be that of another message.
  mutating func skipUnwritten() { count += Self.mostUnwritten }

  /// Repeats a change of an earlier program.
  mutating func apply(_ change: Change) {
    switch change {
    case .began(let number, let flight):
      flights[number] = flight
      count = max(count, flight.count)
    case .ended(let number, let flight): if flights[number] == flight { flights[number] = nil }
    case .restarted: restart()
    case .noted(let topic, let content): note(topic, content)
    }
  }

  init?(_ value: PlainValue) {
    guard case .dictionary(let values) = value, case .text(let client)? = values["client"], !client.isEmpty,
      client.utf8.count <= 64, case .integer(let count)? = values["count"], count >= 0
    else { return nil }
    (self.client, self.count) = (client, count)
    if case .dictionary(let entries)? = values["flights"] {
      for (key, entry) in entries {
        guard let number = UInt16(key), case .text(let text) = entry, let (count, digest) = Self.pair(text),
          let count = Int64(count)
        else { continue }
        flights[number] = Flight(count: count, digest: digest)
      }
    }
    if case .list(let entries)? = values["shown"] {
      shown = entries.suffix(Self.mostShown).compactMap { entry in
        guard case .text(let text) = entry, let (topic, content) = Self.pair(text),
          let topic = MQTTDigest(String(topic))
        else { return nil }
        return Shown(topic: topic, content: content)
      }
    }
  }

  private static func pair(_ text: String) -> (Substring, MQTTDigest)? {
    guard let space = text.firstIndex(of: " "), let digest = MQTTDigest(String(text[text.index(after: space)...]))
    else { return nil }
    return (text[..<space], digest)
  }

  var plain: PlainValue {
    var values: [String: PlainValue] = ["client": .text(client), "count": .integer(count)]
    if !flights.isEmpty {
      values["flights"] = .dictionary(
        Dictionary(uniqueKeysWithValues: flights.map { (String($0), .text("\($1.count) \($1.digest.text)")) }))
    }
    if !shown.isEmpty { values["shown"] = .list(shown.map { .text("\($0.topic.text) \($0.content.text)") }) }
    return .dictionary(values)
  }
}

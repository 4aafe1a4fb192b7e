// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NotificationModel
package import SystemFiles

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
  package mutating func note(_ message: MQTTMessage) {
    let topic = MQTTDigest(message.topic.utf8)
    shown.removeAll { $0.topic == topic }
    guard !message.isTombstone else { return }
    shown.append(Shown(topic: topic, content: message.digest))
    if shown.count > Self.mostShown { shown.removeFirst() }
  }
}

extension MQTTSession {
  /// How many ids may be given between two writes of the state of the link.
  package static let mostUnwritten: Int64 = 1000

  /// Keeps the session in a file that is not synced: an id must survive the death of the program before the center gets
  /// a message, and a sync takes longer than all the rest. If the machine dies, what was on the screen is gone as well,
  /// and may come again.
  ///
  /// The file is overwritten, because the kernel writes one that takes the place of another to the disk at once.
  package func keep(in path: String) throws(Errno) {
    let text = Array((plain.json + "\n").utf8)
    // Over the end of a longer one; and in steps, so that the length mostly stays.
    let earlier = (try? FileStatus(path).size) ?? 0
    if earlier > LinkState.longestFile { unlink(path) }
    let length = max((text.count + 1023) / 1024 * 1024, earlier > LinkState.longestFile ? 0 : Int(earlier))
    let file = try Descriptor(path, O_WRONLY | O_CREAT | O_NOFOLLOW, mode: 0o600)
    try file.write(text + Array(repeating: UInt8(ascii: " "), count: length - text.count))
  }

  /// The session with which a program goes on.
  ///
  /// - Parameters:
  ///   - state: that of the state of the link, which is synced within a moment.
  ///   - path: where the latest one was kept; the file may be missing or damaged.
  package static func resumed(_ state: MQTTSession, keptIn path: String) -> MQTTSession {
    if let bytes = try? RegularFile.read(path, limit: LinkState.longestFile),
      let text = String(validating: bytes, as: UTF8.self), let value = try? JSONReader.read(text),
      let kept = MQTTSession(value), kept.client == state.client, kept.count > state.count
    {
      return kept
    }
    // An id that was given, and is lost with the machine, must not be that of another message.
    var session = state
    session.count += mostUnwritten
    return session
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

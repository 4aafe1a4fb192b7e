// SPDX-License-Identifier: Apache-2.0
package import NotificationModel
package import SystemFiles

/// What is known of a link, in a file: where it stopped reading, and how it fares. The program writes it, and `suzu`
/// shows it.
package struct LinkState: Hashable, Sendable {
  /// What the link does.
  package enum Phase: String, Sendable, CaseIterable {
    /// It connects for the first time, or again.
    case connecting
    /// The server has said that messages will come.
    case connected
    /// The connection is lost, and the link waits for the next attempt.
    case waiting
    /// The server has refused, which another attempt alone will not change.
    case refused
    /// The file of the link, or its secret, cannot be used.
    case invalid
    /// The link only sends, and connects when a message waits.
    case ready
  }

  /// What of the messages of a server is not passed on.
  package enum Omission: String, Sendable, CaseIterable {
    /// A line that is longer than the limit.
    case tooLong
    /// A line that is no message.
    case unreadable
    /// The center has refused it.
    case refused
    /// It is not text.
    case binary
    /// Its payload, which should be as for Apple's push service, is not.
    case badPayload
    /// It has actions that a link does not carry out.
    case actions
    /// It is not encrypted as Web Push wants it.
    case unencrypted
    /// It was encrypted for another key, or is damaged.
    case undecipherable
    /// Too many others waited.
    case overflow
  }

  /// What the link does, and since when, in Unix seconds.
  package var phase = Phase.connecting
  package var since: Int64 = 0
  /// The server and topic that the next two are of.
  package var source = ""
  /// The id of the last message that the center has stored.
  package var lastID: String?
  /// The date at the server when the link was first connected: what came before does not count.
  package var began: Int64?
  /// When the center last took a message, in Unix seconds.
  package var lastMessage: Int64?
  /// How many it has taken.
  package var count: Int64 = 0
  /// How many messages it has sent, and when the last one.
  package var sent: Int64 = 0
  package var lastSent: Int64?
  /// Why it cannot send at present.
  package var sendError: String?
  /// The last error, and when it was.
  package var error: String?
  package var errorDate: Int64?
  /// Why messages that have arrived are not passed on at present.
  package var obstacle: String?
  /// Until when, in Unix seconds, messages wait because too many came within a minute.
  package var floodedUntil: Int64?
  /// How many messages were left out, or a part of them.
  package var omissions: [Omission: Int64] = [:]

  /// The state of a subscriber of MQTT that must survive a restart.
  package var session: MQTTSession?

  /// With UnifiedPush: the distributor that has the registration, its address for senders, and the public key of the
  /// link.
  package var distributor: String?
  package var endpoint: String?
  package var publicKey: String?

  /// Nothing is known.
  package init() {}

  /// The longest file.
  package static let longestFile = 65_536

  /// Reads a state; nil if there is none, or it is damaged, which costs no more than that some messages are read again.
  package static func read(_ path: String) -> LinkState? {
    guard let bytes = try? RegularFile.read(path, limit: longestFile),
      let text = String(validating: bytes, as: UTF8.self), case .dictionary(let values)? = try? JSONReader.read(text)
    else { return nil }
    return LinkState(values)
  }

  init?(_ values: [String: PlainValue]) {
    func integer(_ key: String) -> Int64? { Self.count(values[key]) }
    func text(_ key: String) -> String? { if case .text(let text)? = values[key] { text } else { nil } }
    guard let phase = text("phase").flatMap(Phase.init), let since = integer("since") else { return nil }
    (self.phase, self.since) = (phase, since)
    (source, lastID, began) = (text("source") ?? "", text("lastID"), integer("began"))
    (lastMessage, count) = (integer("lastMessage"), integer("count") ?? 0)
    (error, errorDate, obstacle) = (text("error"), integer("errorDate"), text("obstacle"))
    floodedUntil = integer("floodedUntil")
    (sent, lastSent, sendError) = (integer("sent") ?? 0, integer("lastSent"), text("sendError"))
    if case .dictionary(let counts)? = values["omissions"] {
      for (key, value) in counts {
        if let omission = Omission(rawValue: key), let count = Self.count(value) { omissions[omission] = count }
      }
    }
    session = values["session"].flatMap(MQTTSession.init)
    (distributor, endpoint, publicKey) = (text("distributor"), text("endpoint"), text("publicKey"))
  }

  /// A count or a date. Nil for a number that only a damaged file has: the next message would make it overflow.
  private static func count(_ value: PlainValue?) -> Int64? {
    if case .integer(let count)? = value, 0...(1 << 53) ~= count { count } else { nil }
  }

  /// The state as a dictionary.
  package var plain: PlainValue {
    var values: [String: PlainValue] = [
      "phase": .text(phase.rawValue), "since": .integer(since), "source": .text(source), "count": .integer(count),
    ]
    values["lastID"] = lastID.map { .text($0) }
    values["began"] = began.map { .integer($0) }
    values["lastMessage"] = lastMessage.map { .integer($0) }
    values["error"] = error.map { .text($0) }
    values["errorDate"] = errorDate.map { .integer($0) }
    values["obstacle"] = obstacle.map { .text($0) }
    values["floodedUntil"] = floodedUntil.map { .integer($0) }
    values["session"] = session?.plain
    values["distributor"] = distributor.map { .text($0) }
    values["endpoint"] = endpoint.map { .text($0) }
    values["publicKey"] = publicKey.map { .text($0) }
    if sent > 0 { values["sent"] = .integer(sent) }
    values["lastSent"] = lastSent.map { .integer($0) }
    values["sendError"] = sendError.map { .text($0) }
    if !omissions.isEmpty {
      values["omissions"] = .dictionary(
        Dictionary(uniqueKeysWithValues: omissions.map { ($0.key.rawValue, .integer($0.value)) }))
    }
    return .dictionary(values)
  }

  /// Writes the state; the file has the old or the new one, whatever happens.
  package func write(to path: String) throws(FileError) { try AtomicFile(path).write((plain.json + "\n").utf8) }
}

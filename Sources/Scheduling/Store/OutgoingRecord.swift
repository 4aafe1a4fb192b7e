// SPDX-License-Identifier: Apache-2.0

/// A message to a server elsewhere, for one step of an escalation, and its result.
public struct OutgoingRecord: Hashable, Sendable {
  /// The state of a message.
  public enum State: Int64, Sendable {
    /// It waits to be sent.
    case waiting = 0
    /// A server has taken it.
    case sent = 1
    /// It cannot be sent.
    case failed = 2
    /// It could not be sent within ``Store/outgoingAge``.
    case lapsed = 3
    /// The notification was answered or cancelled first.
    case unneeded = 4
  }

  /// Its number.
  public let number: Number
  /// The app that it belongs to.
  public let app: String
  /// The delivery that was not answered.
  public let delivery: DeliveryRecord.Number
  /// The step of its escalation.
  public let step: Int
  /// The link over which it goes; nil for the only one that sends.
  public let link: String?
  /// When it was stored.
  public let queued: Timestamp
  /// Its state.
  public internal(set) var state: State
  /// When it was sent or given up; nil if it waits.
  public internal(set) var settled: Timestamp?
  /// Why it could not be sent; nil if there is nothing to say.
  public internal(set) var detail: String?

  /// Whether it is too old to be sent.
  public func hasLapsed(at now: Timestamp) -> Bool { now - queued >= Store.outgoingAge }
}

extension OutgoingRecord {
  /// `response` and `content` are for what a later version sends.
  var values: [SQLValue] {
    [
      SQLValue(number), .text(app), SQLValue(delivery), .integer(Int64(step)), .null, SQLValue(link), .null,
      SQLValue(queued), .integer(state.rawValue), SQLValue(settled), SQLValue(detail),
    ]
  }

  init(_ statement: Statement) throws(StoreError) {
    let row = try Table.outbox.read(statement)
    guard let number = row[0].integer, let app = row[1].text, let delivery = row[2].integer, let step = row[3].integer,
      let queued = row[7].timestamp, let state = row[8].integer.flatMap(State.init(rawValue:))
    else { throw StoreError(.damaged, "row \(row[0].integer ?? 0) of table 'outbox' has invalid values") }
    self.init(
      number: Number(number), app: app, delivery: DeliveryRecord.Number(delivery), step: Int(clamping: step),
      link: row[5].text, queued: queued, state: state, settled: row[9].timestamp, detail: row[10].text)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A message to a server elsewhere, for one step of an escalation, and its result.
public struct OutgoingRecord: Hashable, Sendable {
  /// The content of a message.
  public enum Subject: Hashable, Sendable {
    /// A notification that stays unanswered, with a step of its escalation. The link is nil for the only one that
    /// sends.
    case step(Int, of: DeliveryRecord.Number, link: String?)
    /// A call of a server that the action of a response makes. It is deleted with its end, which the response has.
    case call(ResponseRecord.Number, content: String)
    /// The answer to a push, for the other desktops that show it. It is deleted with its end.
    case answer(of: DeliveryRecord.Number, link: String, content: String)
  }

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
  /// The content of the message.
  public let subject: Subject
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
  var values: [SQLValue] {
    let subject: [SQLValue] =
      switch subject {
      case .step(let step, let delivery, let link):
        [SQLValue(delivery), .integer(Int64(step)), .null, SQLValue(link), .null]
      case .answer(let delivery, let link, let content):
        [SQLValue(delivery), .null, .null, .text(link), .text(content)]
      case .call(let response, let content): [.null, .null, SQLValue(response), .null, .text(content)]
      }
    return [SQLValue(number), .text(app)] + subject + [
      SQLValue(queued), .integer(state.rawValue), SQLValue(settled), SQLValue(detail),
    ]
  }

  init(_ statement: Statement) throws(StoreError) {
    let row = try Table.outbox.read(statement)
    guard let number = row[0].integer, let app = row[1].text, let queued = row[7].timestamp,
      let state = row[8].integer.flatMap(State.init(rawValue:)), let subject = Self.subject(row)
    else { throw StoreError(.damaged, "row \(row[0].integer ?? 0) of table 'outbox' has invalid values") }
    self.init(
      number: Number(number), app: app, subject: subject, queued: queued, state: state, settled: row[9].timestamp,
      detail: row[10].text)
  }

  private static func subject(_ row: [SQLValue]) -> Subject? {
    if let delivery = row[2].integer, let step = row[3].integer {
      return .step(Int(clamping: step), of: DeliveryRecord.Number(delivery), link: row[5].text)
    }
    if let delivery = row[2].integer, let link = row[5].text, let content = row[6].text {
      return .answer(of: DeliveryRecord.Number(delivery), link: link, content: content)
    }
    guard let response = row[4].integer, let content = row[6].text else { return nil }
    return .call(ResponseRecord.Number(response), content: content)
  }
}

extension OutgoingRecord {
  /// The step that it sends; nil for others.
  public var step: Int? { if case .step(let step, _, _) = subject { step } else { nil } }
  /// The link over which it goes; nil for the only one that sends, and for a call.
  public var link: String? {
    switch subject {
    case .step(_, _, let link): link
    case .answer(_, let link, _): link
    case .call: nil
    }
  }
  /// The delivery of its step; nil for others.
  public var delivery: DeliveryRecord.Number? {
    if case .step(_, let delivery, _) = subject { delivery } else { nil }
  }
  /// Whether it is a call of a server.
  public var isCall: Bool { if case .call = subject { true } else { false } }
}

// SPDX-License-Identifier: Apache-2.0

/// A response of the user, stored before its action begins.
public struct ResponseRecord: Hashable, Sendable {
  /// The progress of the action.
  public enum State: Int64, Sendable {
    /// Not begun.
    case committed = 0
    /// Begun; after a start, this means interrupted.
    case running = 1
    /// Finished, with an outcome.
    case finished = 2
  }

  /// Its number.
  public let number: Number
  /// The delivery that was answered; nil if `Respond` was called for a request that was not on the screen.
  public let delivery: DeliveryRecord.Number?
  /// The request as it was shown.
  public let revision: StoredRequest.Revision
  /// The app of the request.
  public let app: String
  /// The id of the request.
  public let id: String
  /// The action's identifier.
  public let action: String
  /// The user's reply.
  public let reply: String?
  /// The date that was answered.
  public let due: Timestamp?
  /// The progress of the action.
  public internal(set) var state: State
  /// When it was committed.
  public let committed: Timestamp
  /// When the outcome was stored.
  package internal(set) var finished: Timestamp?
  /// `done`, `failed: exit 3` …
  public internal(set) var outcome: String?
}

extension ResponseRecord {
  var values: [SQLValue] {
    [
      SQLValue(number), SQLValue(delivery), SQLValue(revision), .text(app), .text(id), .text(action), SQLValue(reply),
      SQLValue(due), .integer(state.rawValue), SQLValue(committed), SQLValue(finished), SQLValue(outcome),
    ]
  }

  init(_ statement: Statement) throws(StoreError) {
    let row = try Table.response.read(statement)
    guard let number = row[0].integer, let revision = row[2].integer, let app = row[3].text, let id = row[4].text,
      let action = row[5].text, let state = row[8].integer.flatMap(State.init(rawValue:)),
      let committed = row[9].timestamp
    else { throw StoreError(.damaged, "row \(row[0].integer ?? 0) of table 'response' has invalid values") }
    self.init(
      number: Number(number), delivery: row[1].integer.map { DeliveryRecord.Number($0) },
      revision: StoredRequest.Revision(revision), app: app, id: id, action: action,
      reply: row[6].text, due: row[7].timestamp, state: state, committed: committed, finished: row[10].timestamp,
      outcome: row[11].text)
  }
}

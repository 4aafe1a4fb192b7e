// SPDX-License-Identifier: Apache-2.0

/// A stored request.
public struct StoredRequest: Hashable, Sendable {
  /// How far a request has come.
  public enum Phase: Hashable, Sendable {
    /// It waits.
    case pending(Wait)
    /// It waits no more; `last` is the last date that it waited for, and missing if that was none.
    case ended(End, last: PlannedDate?)
  }

  /// Why a request waits no more.
  public enum End: Hashable, Sendable {
    /// All its dates have passed.
    case finished
    /// Replaced by a later request with its id; kept for its deliveries.
    case replaced
    /// Cancelled; kept for its deliveries.
    case cancelled
  }

  /// The phase as a column.
  public enum State: Int64, Sendable {
    case pending = 0
    case finished = 1
    case replaced = 2
    case cancelled = 3
  }

  /// Its number.
  public let revision: Revision
  /// The app.
  public let app: String
  /// The id within the app.
  public let id: String
  /// The request as JSON.
  public let payload: String
  /// How far it has come.
  public internal(set) var phase: Phase
  /// The number of its dates that have passed.
  public internal(set) var fired: Int64
  /// When it was stored.
  public let created: Timestamp
  /// Whether its dates wake the machine.
  public let wakes: Bool
  /// The rights it was made with, as an opaque text; nil for the user.
  public let asker: String?
  /// The state of the condition that it waits for; nil if nothing is known yet.
  public internal(set) var armed: ArmedState?
}

extension StoredRequest {
  /// The date or condition that it waits for; nil if it does not wait any more.
  public var wait: Wait? { if case .pending(let wait) = phase { wait } else { nil } }

  /// The next date, or the last one of a request that has ended; nil if there is none.
  ///
  /// A request keeps its date when it ends, so that its row keeps its length: SQLite then changes the first page of a
  /// long row in place, and does not write the others again.
  public var date: PlannedDate? {
    switch phase {
    case .pending(let wait): wait.date
    case .ended(_, let last): last
    }
  }

  /// The phase as a column.
  public var state: State {
    switch phase {
    case .pending: .pending
    case .ended(.finished, _): .finished
    case .ended(.replaced, _): .replaced
    case .ended(.cancelled, _): .cancelled
    }
  }

  /// SQLite stores the states 0 and 1 without a byte of their own, and 2 and 3 in one. This bit of `fold`, which is 0
  /// or 1, takes the byte in the other rows.
  private var filler: Int64 { state.rawValue < 2 ? 2 : 0 }

  var values: [SQLValue] {
    let date = date
    return [
      SQLValue(revision), .text(app), .text(id), .text(payload), .integer(state.rawValue), SQLValue(date?.due),
      SQLValue(date?.wall), SQLValue(date?.zone), .integer(Int64(date?.fold ?? 0) | filler), .integer(fired),
      SQLValue(created),
      date?.isElapsed == true ? 1 : nil, wakes ? 1 : nil,
      SQLValue(asker), SQLValue(armed?.text),
    ]
  }

  init(_ statement: Statement) throws(StoreError) {
    try self.init(row: try Table.request.read(statement))
  }

  /// Reads a row whose checksum is correct.
  init(row: [SQLValue]) throws(StoreError) {
    guard let revision = row[0].integer, let app = row[1].text, let id = row[2].text, let payload = row[3].text,
      let state = row[4].integer.flatMap(State.init(rawValue:)), let fold = row[8].integer, let fired = row[9].integer,
      let created = row[10].timestamp
    else { throw StoreError(.damaged, "row \(row[0].integer ?? 0) of table 'request' has invalid values") }
    self.revision = Revision(revision)
    self.app = app
    self.id = id
    self.payload = payload
    // Rows of older files may lack the last columns.
    let isElapsed = row.count > 11 && row[11] == 1
    wakes = row.count > 12 && row[12] == 1
    asker = row.count > 13 ? row[13].text : nil
    armed = row.count > 14 ? row[14].text.flatMap { ArmedState($0) } : nil
    let date = row[5].timestamp.map {
      PlannedDate(
        due: $0, wall: row[6].text, zone: row[7].text, fold: Int(truncatingIfNeeded: fold & 1), isElapsed: isElapsed)
    }
    phase =
      switch state {
      case .pending: .pending(date.map { .date($0) } ?? .condition)
      case .finished: .ended(.finished, last: date)
      case .replaced: .ended(.replaced, last: date)
      case .cancelled: .ended(.cancelled, last: date)
      }
    self.fired = fired
    self.created = created
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A request to be stored.
public struct NewRequest: Hashable, Sendable {
  /// The app.
  public var app: String
  /// Unique within the app: a request with the same id replaces this one.
  public var id: String
  /// The request as JSON.
  public var payload: String
  /// The first date; nil if the request waits for something else.
  public var next: Occurrence?
  /// Whether its dates wake the machine.
  public var wakes: Bool
  /// The rights it was made with, as an opaque text; nil for the user.
  public var asker: String?
  /// Whether it is due now; then it has no date before it is stored.
  public var isDue: Bool
  /// Whether a sandboxed program made it, whose quotas are smaller.
  var isBoxed: Bool { asker != nil }

  /// A request.
  public init(
    app: String, id: String, payload: String, next: Occurrence?, wakes: Bool = false, asker: String? = nil,
    isDue: Bool = false
  ) {
    self.app = app
    self.id = id
    self.payload = payload
    self.next = next
    self.wakes = wakes
    self.asker = asker
    self.isDue = isDue
  }
}

/// A stored request.
public struct StoredRequest: Hashable, Sendable {
  /// Whether the request has future dates.
  public enum State: Int64, Sendable {
    /// Its next date is in the future.
    case pending = 0
    /// All its dates have passed.
    case finished = 1
    /// Replaced by a later request with its id; kept for its deliveries.
    case replaced = 2
    /// Cancelled; kept for its deliveries.
    case cancelled = 3
  }

  /// Its number, greater than those of all earlier requests, and never used again.
  public let revision: Int64
  /// The app.
  public let app: String
  /// The id within the app.
  public let id: String
  /// The request as JSON.
  public let payload: String
  /// Whether the request has future dates.
  public internal(set) var state: State
  /// The next date; for a finished request, the last one.
  public internal(set) var next: Occurrence?
  /// The number of its dates that have passed.
  public internal(set) var fired: Int64
  /// When it was stored, in milliseconds since 1970.
  public let created: Int64
  /// Whether its dates wake the machine.
  public let wakes: Bool
  /// The rights it was made with, as an opaque text; nil for the user.
  public let asker: String?
}

extension StoredRequest {
  var values: [SQLValue] {
    [
      .integer(revision), .text(app), .text(id), .text(payload), .integer(state.rawValue), SQLValue(next?.due),
      SQLValue(next?.wall), SQLValue(next?.zone), .integer(Int64(next?.fold ?? 0)), .integer(fired), .integer(created),
      next?.isElapsed == true ? 1 : nil, wakes ? 1 : nil,
      SQLValue(asker),
    ]
  }

  init(_ statement: Statement) throws(StoreError) {
    try self.init(row: try Table.request.read(statement))
  }

  /// Reads a row whose checksum is correct.
  init(row: [SQLValue]) throws(StoreError) {
    guard let revision = row[0].integer, let app = row[1].text, let id = row[2].text, let payload = row[3].text,
      let state = row[4].integer.flatMap(State.init(rawValue:)), let fold = row[8].integer, let fired = row[9].integer,
      let created = row[10].integer
    else { throw StoreError(.damaged, "row \(row[0].integer ?? 0) of table 'request' has invalid values") }
    self.revision = revision
    self.app = app
    self.id = id
    self.payload = payload
    self.state = state
    // Rows of older files may lack the last columns.
    let isElapsed = row.count > 11 && row[11] == 1
    wakes = row.count > 12 && row[12] == 1
    asker = row.count > 13 ? row[13].text : nil
    self.next = row[5].integer.map {
      Occurrence(
        due: $0, wall: row[6].text, zone: row[7].text, fold: Int(truncatingIfNeeded: fold), isElapsed: isElapsed)
    }
    self.fired = fired
    self.created = created
  }
}

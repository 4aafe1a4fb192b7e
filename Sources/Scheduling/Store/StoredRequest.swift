// SPDX-License-Identifier: Apache-2.0

/// A request to be stored.
public struct NewRequest: Hashable, Sendable {
  /// Whose it is.
  public var app: String
  /// Unique within the app: the same id replaces.
  public var id: String
  /// The request in the vocabulary's words, as JSON.
  public var payload: String
  /// Its first date; nil: it waits for something that is not a date.
  public var next: Occurrence?
  /// Whether the machine is to be woken for its dates.
  public var wakes: Bool
  /// Whose rights made it, in words that mean nothing here; nil: the user's.
  public var asker: String?
  /// Whether it is due at once: then it has no date before it is stored.
  public var isDue: Bool
  /// Whether a sandboxed program asks, for whose app less is kept.
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

/// A request as it stands in the store.
public struct StoredRequest: Hashable, Sendable {
  /// Whether dates are to come.
  public enum State: Int64, Sendable {
    /// Its time, or the next of its times, has not come.
    case pending = 0
    /// All its dates have been.
    case finished = 1
    /// A later request has its id; kept for its deliveries.
    case replaced = 2
    /// Taken back; kept for its deliveries.
    case cancelled = 3
  }

  /// Its number, greater than that of every request before, and never given again.
  public let revision: Int64
  /// Whose it is.
  public let app: String
  /// Which of the app's.
  public let id: String
  /// The request in the vocabulary's words, as JSON.
  public let payload: String
  /// Whether dates are to come.
  public internal(set) var state: State
  /// The next date; of a finished request the last one.
  public internal(set) var next: Occurrence?
  /// How many of its dates have been.
  public internal(set) var fired: Int64
  /// When it was stored, in milliseconds since 1970.
  public let created: Int64
  /// Whether the machine is to be woken for its dates.
  public let wakes: Bool
  /// Whose rights made it, in words that mean nothing here; nil: the user's.
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

  /// From a row whose checksum is right.
  init(row: [SQLValue]) throws(StoreError) {
    guard let revision = row[0].integer, let app = row[1].text, let id = row[2].text, let payload = row[3].text,
      let state = row[4].integer.flatMap(State.init(rawValue:)), let fold = row[8].integer, let fired = row[9].integer,
      let created = row[10].integer
    else { throw StoreError(.damaged, "row \(row[0].integer ?? 0) of table 'request' makes no sense") }
    self.revision = revision
    self.app = app
    self.id = id
    self.payload = payload
    self.state = state
    // Rows of an older file may be without the last columns.
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

// SPDX-License-Identifier: Apache-2.0

/// What became of one date of a request.
public struct DeliveryRecord: Hashable, Sendable {
  /// Where a delivery stands.
  public enum State: Int64, Sendable {
    /// Written down before the server is asked; found after a start, it may or may not have been shown.
    case intent = 0
    /// The server gave it a number.
    case shown = 1
    /// Gone from the screen.
    case closed = 2
    /// Too late by more than its grace.
    case expired = 3
    /// Missed, and the request wants none of those.
    case skipped = 4
    /// One of many that a digest stands for.
    case folded = 5
    /// No server took it.
    case failed = 6
  }

  /// Its number, never given again.
  public let number: Int64
  /// The request that it is of, as it was then.
  public let revision: Int64
  /// Whose request.
  public let app: String
  /// Which of the app's.
  public let id: String
  /// The date, as identity: unique with app and id.
  public let occurrence: Occurrence
  /// Where it stands.
  public internal(set) var state: State
  /// How many earlier dates it stands for as well.
  public let missed: Int64
  /// When the intent was written, in milliseconds since 1970.
  let intended: Int64
  /// The server's unique name on the bus.
  public internal(set) var server: String?
  /// The number that server gave.
  public internal(set) var serverNumber: Int64?
  /// When the server took it.
  public internal(set) var posted: Int64?
  /// When it left the screen.
  public internal(set) var closed: Int64?
  /// Why it left the screen, or why it failed.
  public internal(set) var reason: String?
  /// What was offered to the user, as JSON: a click is judged by it, also after a restart.
  public internal(set) var keys: String?
}

extension DeliveryRecord {
  /// What `wall` holds where no wall clock names the date: the request and its count tell it from every other.
  static func identity(of occurrence: Occurrence, of request: StoredRequest) -> Occurrence {
    var identity = occurrence
    identity.wall = occurrence.wall ?? "#\(request.revision).\(request.fired)"
    identity.zone = occurrence.zone ?? ""
    return identity
  }

  var values: [SQLValue] {
    [
      .integer(number), .integer(revision), .text(app), .text(id), .text(occurrence.wall ?? ""),
      .text(occurrence.zone ?? ""), .integer(Int64(occurrence.fold)), .integer(occurrence.due),
      .integer(state.rawValue), .integer(missed), .integer(intended), SQLValue(server), SQLValue(serverNumber),
      SQLValue(posted), SQLValue(closed), SQLValue(reason), SQLValue(keys),
    ]
  }

  init(_ statement: Statement) throws(StoreError) {
    let row = try Table.delivery.read(statement)
    guard let number = row[0].integer, let revision = row[1].integer, let app = row[2].text, let id = row[3].text,
      let wall = row[4].text, let zone = row[5].text, let fold = row[6].integer, let due = row[7].integer,
      let state = row[8].integer.flatMap(State.init(rawValue:)), let missed = row[9].integer,
      let intended = row[10].integer
    else { throw StoreError(.damaged, "row \(row[0].integer ?? 0) of table 'delivery' makes no sense") }
    self.init(
      number: number, revision: revision, app: app, id: id,
      occurrence: Occurrence(
        due: due, wall: wall, zone: zone.isEmpty ? nil : zone, fold: Int(truncatingIfNeeded: fold)),
      state: state, missed: missed, intended: intended, server: row[11].text, serverNumber: row[12].integer,
      posted: row[13].integer, closed: row[14].integer, reason: row[15].text, keys: row[16].text)
  }
}

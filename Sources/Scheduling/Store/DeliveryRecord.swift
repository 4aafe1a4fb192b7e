// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// The record of one date of a request.
public struct DeliveryRecord: Hashable, Sendable {
  /// The state of a delivery.
  public enum State: Int64, Sendable {
    /// Stored before the server is called; after a start, it is unknown whether it was shown.
    case intent = 0
    /// The server assigned a number.
    case shown = 1
    /// Closed.
    case closed = 2
    /// Late by more than its grace.
    case expired = 3
    /// Missed, and the request skips missed dates.
    case skipped = 4
    /// Replaced by a digest of many.
    case folded = 5
    /// Refused by the server.
    case failed = 6
  }

  /// Its number.
  public let number: Number
  /// The revision of its request.
  public let revision: StoredRequest.Revision
  /// The app of the request.
  public let app: String
  /// The id of the request.
  public let id: String
  /// The date, which is unique with app and id.
  public let occurrence: PlannedDate
  /// The state.
  public internal(set) var state: State
  /// The number of earlier dates that this delivery includes.
  public internal(set) var missed: Int64
  /// When the intent was written: the center noticed that its date had come.
  public let intended: Timestamp
  /// The server's unique name on the bus.
  public internal(set) var server: String?
  /// The number that the server assigned.
  public internal(set) var serverNumber: Int64?
  /// When the server accepted it.
  public internal(set) var posted: Timestamp?
  /// When it was closed. One that is shown again has left the screen then, and has not ended: ``isResting``.
  public internal(set) var closed: Timestamp?
  /// Why it was closed, or why it failed.
  public internal(set) var reason: String?
  /// The offered actions as JSON, so that clicks can be checked after a restart, too.
  public internal(set) var keys: String?
  /// What happened, if it waited for a condition, and what has held it, as JSON.
  var eventText: String?
  /// When it is shown again because it was not answered; nil if it is not.
  public internal(set) var again: Timestamp?
  /// Its showings, if it is one that is shown again: ``Showings``.
  var showingsText: String?
}

extension DeliveryRecord {
  /// The value of `wall` for dates without a wall time: the request and its count, which are unique.
  static func identity(of occurrence: PlannedDate, of request: StoredRequest) -> PlannedDate {
    var identity = occurrence
    identity.wall = occurrence.wall ?? "#\(request.revision).\(request.fired)"
    identity.zone = occurrence.zone ?? ""
    return identity
  }

  /// When it was to be shown or, if it was cancelled or edited before that, the time of the change.
  public var moment: Timestamp {
    guard posted == nil, let closed else { return occurrence.due }
    return min(closed, occurrence.due)
  }

  /// What happened, if it waited for a condition: the values of `{event.KEY}`.
  public var event: [String: String] {
    var event = notes
    event[Self.heldKey] = nil
    return event
  }

  /// What held it before it was shown or ended; nil if nothing did.
  public var heldBy: ListedRequest.Holder? { notes[Self.heldKey].map { .init(rawValue: $0) } }

  /// No key of an event has a blank.
  private static let heldKey = "held by"

  private var notes: [String: String] {
    guard let eventText, case .dictionary(let values)? = try? JSONReader.read(eventText) else { return [:] }
    return values.compactMapValues { if case .text(let text) = $0 { text } else { nil } }
  }

  mutating func note(heldBy holder: ListedRequest.Holder) {
    var notes = notes
    notes[Self.heldKey] = holder.rawValue
    eventText = Self.text(of: notes)
  }

  /// Its showings; nil if it is not one that is shown again.
  public internal(set) var showings: Showings? {
    get { showingsText.flatMap { Showings($0) } }
    set { showingsText = newValue?.text }
  }

  /// How many steps of its escalation come with the showing that is under way; nil if none is.
  package func comingStep(of request: NotificationRequest, at now: Timestamp) -> Int? {
    guard state == .intent, let nag = request.content.nag else { return nil }
    return (showings ?? Showings()).nextStep(of: nag, at: now)
  }

  /// Whether it has left the screen without an answer, and is shown again.
  public var isResting: Bool { state == .shown && closed != nil }

  /// The stored form of an event; nil if there is none.
  static func text(of event: [String: String]) -> String? {
    event.isEmpty ? nil : PlainValue.dictionary(event.mapValues { .text($0) }).json
  }

  var values: [SQLValue] {
    [
      SQLValue(number), SQLValue(revision), .text(app), .text(id), .text(occurrence.wall ?? ""),
      .text(occurrence.zone ?? ""), .integer(Int64(occurrence.fold)), SQLValue(occurrence.due),
      .integer(state.rawValue), .integer(missed), SQLValue(intended), SQLValue(server), SQLValue(serverNumber),
      SQLValue(posted), SQLValue(closed), SQLValue(reason), SQLValue(keys),
      SQLValue(eventText), SQLValue(again), SQLValue(showingsText),
    ]
  }

  init(_ statement: Statement) throws(StoreError) {
    let row = try Table.delivery.read(statement)
    guard let number = row[0].integer, let revision = row[1].integer, let app = row[2].text, let id = row[3].text,
      let wall = row[4].text, let zone = row[5].text, let fold = row[6].integer, let due = row[7].timestamp,
      let state = row[8].integer.flatMap(State.init(rawValue:)), let missed = row[9].integer,
      let intended = row[10].timestamp
    else { throw StoreError(.damaged, "row \(row[0].integer ?? 0) of table 'delivery' has invalid values") }
    self.init(
      number: Number(number), revision: StoredRequest.Revision(revision), app: app, id: id,
      occurrence: PlannedDate(
        due: due, wall: wall, zone: zone.isEmpty ? nil : zone, fold: Int(truncatingIfNeeded: fold)),
      state: state, missed: missed, intended: intended, server: row[11].text, serverNumber: row[12].integer,
      posted: row[13].timestamp, closed: row[14].timestamp, reason: row[15].text, keys: row[16].text,
      eventText: row.count > 17 ? row[17].text : nil, again: row.count > 18 ? row[18].timestamp : nil,
      showingsText: row.count > 19 ? row[19].text : nil)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The position of a listing: after the rows that were read. Its text stays valid when rows are added or removed.
public struct ListingPlace: Hashable, Sendable {
  /// Of a pending request; nil if it has none, and of a delivery.
  public let due: Timestamp?
  /// Of a request or of a delivery.
  public let number: Int64

  /// After a pending request.
  public init(behind request: StoredRequest) {
    due = request.date?.due
    number = request.revision.value
  }

  /// After a delivery.
  public init(behind delivery: DeliveryRecord) {
    due = nil
    number = delivery.number.value
  }

  /// After the row with these values.
  public init(due: Timestamp?, number: Int64) {
    self.due = due
    self.number = number
  }
}

extension ListingPlace: LosslessStringConvertible {
  /// `DUE.NUMBER`, or `NUMBER` without a date.
  public var description: String { due.map { "\($0.milliseconds).\(number)" } ?? "\(number)" }

  /// Reads ``description``; returns nil for another text.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
    guard 1...2 ~= parts.count, let number = parts.last ?? nil, let due = parts[0] else { return nil }
    self.init(due: parts.count == 2 ? Timestamp(milliseconds: due) : nil, number: number)
  }
}

/// The progress of a listing, started at the beginning or at the position of an earlier listing.
public struct ListingWalk: Hashable, Sendable {
  /// The app; nil for all apps.
  public let app: String?
  /// The row to continue after; nil for the beginning.
  public var place: ListingPlace?
  /// Whether the end was reached.
  public internal(set) var isAtEnd = false

  /// Starts behind a row, or at the beginning.
  public init(app: String?, behind place: ListingPlace? = nil) {
    self.app = app
    self.place = place
  }
}

/// The size limits of a page of a listing.
public struct PageLimit: Hashable, Sendable {
  /// The number of rows.
  public var rows: Int
  /// The number of stored bytes; the first row may exceed it.
  public var bytes: Int
  /// The number of index entries to read in one call.
  public var steps: Int

  /// Limits of a page.
  public init(rows: Int, bytes: Int, steps: Int = 20_000) {
    self.rows = rows
    self.bytes = bytes
    self.steps = steps
  }
}

/// Listings in pages. Each call does a bounded amount of work, wherever the page is in the list.
extension Store {
  /// The next pending requests by date; those without a date come first.
  ///
  /// The result may be empty before the end, if the call has read enough entries; `walk` holds the position.
  public func pending(_ walk: inout ListingWalk, _ limit: PageLimit) throws(StoreError) -> [StoredRequest] {
    let begin = walk
    var current = walk
    defer { walk = current }
    return try read { database throws(StoreError) in
      current = begin
      var steps = limit.steps
      var found: [Int64] = []
      if current.place?.due == nil {
        try Self.scan(.undated, &current, &steps, limit, in: database, &found)
        if current.isAtEnd { current.place = ListingPlace(due: .distantPast, number: 0) }
        current.isAtEnd = false
      }
      if current.place?.due != nil { try Self.scan(.dated, &current, &steps, limit, in: database, &found) }
      var requests: [StoredRequest] = []
      var bytes = 0
      for revision in found {
        guard let request = try Self.request(revision: StoredRequest.Revision(revision), in: database) else {
          throw StoreError(.damaged, "the index of dates refers to a missing request")
        }
        bytes += request.payload.utf8.count
        if bytes > limit.bytes, let last = requests.last {
          current.place = ListingPlace(behind: last)
          current.isAtEnd = false
          break
        }
        requests.append(request)
      }
      return requests
    }
  }

  private enum Dates: String {
    case undated = "due IS NULL AND revision > ?2"
    case dated = "(due, revision) > (?1, ?2)"
  }

  /// Reads the date index, which contains the app, and no rows.
  private static func scan(
    _ dates: Dates, _ walk: inout ListingWalk, _ steps: inout Int, _ limit: PageLimit, in database: Database,
    _ found: inout [Int64]
  ) throws(StoreError) {
    let from: [SQLValue] = [SQLValue(walk.place?.due ?? .distantPast), .integer(walk.place?.number ?? 0)]
    try database.with(
      "SELECT due, revision, app FROM request INDEXED BY request_due WHERE state = 0 AND \(dates.rawValue)"
        + " ORDER BY due, revision", from
    ) { statement throws(StoreError) in
      while found.count < limit.rows, steps > 0 {
        guard try statement.step() else {
          walk.isAtEnd = true
          return
        }
        steps -= 1
        let revision = statement.integer(1)
        walk.place = ListingPlace(
          due: dates == .undated ? nil : Timestamp(milliseconds: statement.integer(0)), number: revision)
        if let app = walk.app, statement.text(2) != app { continue }
        found.append(revision)
      }
    }
  }

  /// The next deliveries, newest first; see ``pending(_:_:)``.
  public func history(_ walk: inout ListingWalk, _ limit: PageLimit) throws(StoreError) -> [DeliveryRecord] {
    try deliveries(
      &walk, limit,
      walk.app == nil
        ? "SELECT number FROM delivery NOT INDEXED WHERE number < ?1"
        : """
        SELECT number FROM delivery INDEXED BY delivery_ended WHERE app = ?2 AND state > 1 AND number < ?1 UNION ALL \
        SELECT number FROM delivery INDEXED BY delivery_open WHERE app = ?2 AND state < 2 AND number < ?1
        """)
  }

  /// The next notifications on the screen, newest first; see ``pending(_:_:)``.
  public func delivered(_ walk: inout ListingWalk, _ limit: PageLimit) throws(StoreError) -> [DeliveryRecord] {
    try deliveries(
      &walk, limit,
      "SELECT number FROM delivery INDEXED BY delivery_open WHERE state < 2 AND state = 1 AND number < ?1"
        + (walk.app == nil ? "" : " AND app = ?2"))
  }

  private func deliveries(
    _ walk: inout ListingWalk, _ limit: PageLimit, _ source: String
  ) throws(StoreError) -> [DeliveryRecord] {
    let begin = walk
    var current = walk
    defer { walk = current }
    return try read { database throws(StoreError) in
      current = begin
      var steps = limit.steps
      var numbers: [Int64] = []
      let from: [SQLValue] = [.integer(current.place?.number ?? .max)] + (current.app.map { [.text($0)] } ?? [])
      try database.with(source + " ORDER BY number DESC", from) {
        statement throws(StoreError) in
        while numbers.count < limit.rows, steps > 0 {
          guard try statement.step() else {
            current.isAtEnd = true
            return
          }
          steps -= 1
          let number = statement.integer(0)
          current.place = ListingPlace(due: nil, number: number)
          numbers.append(number)
        }
      }
      var records: [DeliveryRecord] = []
      var bytes = 0
      for number in numbers {
        guard let record = try Self.delivery(DeliveryRecord.Number(number), in: database) else {
          throw StoreError(.damaged, "an index refers to a missing delivery")
        }
        bytes += Int(record.size)
        if bytes > limit.bytes, let last = records.last {
          current.place = ListingPlace(behind: last)
          current.isAtEnd = false
          break
        }
        records.append(record)
      }
      return records
    }
  }
}

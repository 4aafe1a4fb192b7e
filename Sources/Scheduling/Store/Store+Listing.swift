// SPDX-License-Identifier: Apache-2.0

/// Where a walk through a listing stands: behind the rows that were read.
public struct ListingPlace: Hashable, Sendable {
  let due: Int64?
  let number: Int64

  /// Behind a pending request.
  public init(behind request: StoredRequest) {
    due = request.next?.due
    number = request.revision
  }

  /// Behind a delivery.
  public init(behind delivery: DeliveryRecord) {
    due = nil
    number = delivery.number
  }

  init(due: Int64?, number: Int64) {
    self.due = due
    self.number = number
  }
}

/// A walk through a listing, from an offset or from a place that an earlier walk has reached.
public struct ListingWalk: Hashable, Sendable {
  /// Nil: of every app.
  public let app: String?
  /// How many rows are still to be passed over.
  public internal(set) var skip: Int
  /// Behind which row it goes on; nil: at the beginning.
  public var place: ListingPlace?
  /// Whether the last row has been passed.
  public internal(set) var isAtEnd = false

  /// From the row with that number on.
  public init(app: String?, offset: Int) {
    self.app = app
    skip = offset
  }

  /// From a place on.
  public init(app: String?, behind place: ListingPlace) {
    self.app = app
    self.place = place
    skip = 0
  }
}

/// How much a page of a listing may hold.
public struct PageLimit: Hashable, Sendable {
  /// How many rows.
  public var rows: Int
  /// How many bytes, as the store keeps them; the first row may be longer.
  public var bytes: Int
  /// How many entries of an index are looked at in one call.
  public var steps: Int

  /// A limit of a page.
  public init(rows: Int, bytes: Int, steps: Int = 20_000) {
    self.rows = rows
    self.bytes = bytes
    self.steps = steps
  }
}

/// Listings in pages: each call does a bounded piece of work, wherever in the list the page is.
extension Store {
  /// The next pending requests, in the order of their dates, those without one first.
  ///
  /// It may return none although there are more, because it has looked at enough: `walk` says where it stands.
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
        if current.isAtEnd { current.place = ListingPlace(due: .min, number: 0) }
        current.isAtEnd = false
      }
      if current.place?.due != nil { try Self.scan(.dated, &current, &steps, limit, in: database, &found) }
      var requests: [StoredRequest] = []
      var bytes = 0
      for revision in found {
        guard let request = try Self.request(revision: revision, in: database) else {
          throw StoreError(.damaged, "the index of dates has a request that is not there")
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

  /// Walks the index of dates, which holds the app as well, and reads no rows.
  private static func scan(
    _ dates: Dates, _ walk: inout ListingWalk, _ steps: inout Int, _ limit: PageLimit, in database: Database,
    _ found: inout [Int64]
  ) throws(StoreError) {
    let from: [SQLValue] = [.integer(walk.place?.due ?? .min), .integer(walk.place?.number ?? 0)]
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
        walk.place = ListingPlace(due: dates == .undated ? nil : statement.integer(0), number: revision)
        if let app = walk.app, statement.text(2) != app { continue }
        if walk.skip > 0 { walk.skip -= 1 } else { found.append(revision) }
      }
    }
  }

  /// The next of all deliveries, newest first; see ``pending(_:_:)``.
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

  /// The next of what is on the screen, newest first; see ``pending(_:_:)``.
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
          if current.skip > 0 { current.skip -= 1 } else { numbers.append(number) }
        }
      }
      var records: [DeliveryRecord] = []
      var bytes = 0
      for number in numbers {
        guard let record = try Self.delivery(number, in: database) else {
          throw StoreError(.damaged, "an index has a delivery that is not there")
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

// SPDX-License-Identifier: Apache-2.0

/// Changes of dates that do not change the requests: when clocks are set, and when zones change.
extension Store {
  /// The number of the newest request.
  public var lastRevision: StoredRequest.Revision { change?.counter.revision ?? counter.revision }

  /// Moves the dates of at most `limit` requests that wait for elapsed time, because the wall clock was set by that
  /// difference: of those after one revision and up to another, in their order. Returns the last one moved, or nil at
  /// the end. `isEnough` returns whether to leave the rest for another call.
  @discardableResult
  package func moveElapsed(
    by milliseconds: Int64, behind revision: StoredRequest.Revision = .none, through last: StoredRequest.Revision,
    limit: Int = .max, isEnough: () -> Bool = { false }
  ) throws(StoreError) -> StoredRequest.Revision? {
    try write(.needed) { database throws(StoreError) in
      let revisions = try database.rows(
        "SELECT revision FROM request INDEXED BY request_elapsed WHERE elapsed = 1 AND state = 0 AND revision > ?"
          + " AND revision <= ? ORDER BY revision LIMIT ?",
        [SQLValue(revision), SQLValue(last), .integer(Int64(limit))]
      ) { StoredRequest.Revision($0.integer(0)) }
      for revision in revisions {
        guard var request = try Self.request(revision: revision, in: database), var date = request.date else {
          throw StoreError(.damaged, "the index of delays does not match the requests")
        }
        date.due += milliseconds
        request.phase = .pending(.date(date))
        try Self.update(request, in: database)
        if isEnough() { return revision }
      }
      return revisions.count < limit ? nil : revisions.last
    }
  }

  /// Recomputes the waits of at most `limit` requests after a revision, in the order of revisions. Returns the last
  /// revision read, or nil at the end. `next` returns the new wait of a request; `isEnough` returns whether to leave
  /// the rest for another call.
  func recompute(
    behind revision: StoredRequest.Revision, limit: Int, isEnough: () -> Bool = { false },
    next: (StoredRequest, Wait) -> Wait
  ) throws(StoreError) -> StoredRequest.Revision? {
    try write(.needed) { database throws(StoreError) in
      let requests = try database.rows(
        Table.request.select
          + " NOT INDEXED WHERE revision > ? AND state = 0 AND (wall IS NOT NULL OR due IS NULL) ORDER BY revision LIMIT ?",
        [SQLValue(revision), .integer(Int64(limit))], StoredRequest.init)
      for var request in requests {
        guard let wait = request.wait else { continue }
        let next = next(request, wait)
        if next != wait {
          request.phase = .pending(next)
          try Self.update(request, in: database)
        }
        if isEnough() { return request.revision }
      }
      return requests.count < limit ? nil : requests.last?.revision
    }
  }

  /// Whether that date of the request's id was already handled.
  func hasDelivery(_ occurrence: PlannedDate, of request: StoredRequest) throws(StoreError) -> Bool {
    let identity = DeliveryRecord.identity(of: occurrence, of: request)
    return try read { database throws(StoreError) in
      try database.number(
        "SELECT 1 FROM delivery WHERE app = ? AND id = ? AND wall = ? AND zone = ? AND fold = ?",
        [
          .text(request.app), .text(request.id), SQLValue(identity.wall), SQLValue(identity.zone),
          .integer(Int64(identity.fold)),
        ]) != nil
    }
  }

  /// The nearest date that wakes the machine.
  func nearestWake() throws(StoreError) -> Timestamp? {
    try read { database throws(StoreError) in
      try database.number("SELECT min(due) FROM request INDEXED BY request_wakes WHERE wakes = 1 AND state = 0").map {
        Timestamp(milliseconds: $0)
      }
    }
  }
}

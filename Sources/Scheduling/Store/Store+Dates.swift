// SPDX-License-Identifier: Apache-2.0

/// Dates move without their requests being touched: when clocks are set, and when zones change.
extension Store {
  /// The number of the newest request.
  public var lastRevision: Int64 { change?.counter.revision ?? counter.revision }

  /// Moves the dates of all that waits for elapsed time and is newer than a revision, because the clock on the wall was
  /// set by so much.
  package func moveElapsed(by milliseconds: Int64, behind revision: Int64 = 0) throws(StoreError) {
    try write(.needed) { database throws(StoreError) in
      let moved = try database.rows(
        Table.request.select + " INDEXED BY request_elapsed WHERE elapsed = 1 AND state = 0 AND revision > ?",
        [.integer(revision)], StoredRequest.init)
      for var request in moved {
        request.next?.due += milliseconds
        try Self.update(request, in: database)
      }
    }
  }

  /// Computes anew the dates of at most `limit` requests behind a revision, in the order of revisions; returns the last
  /// one looked at, nil at the end. `date` returns what is to be in the place of the date it gets, and `isEnough` whether
  /// the rest is left for another time.
  func recompute(
    behind revision: Int64, limit: Int, isEnough: () -> Bool = { false }, date: (StoredRequest) -> Occurrence?
  ) throws(StoreError) -> Int64? {
    try write(.needed) { database throws(StoreError) in
      let requests = try database.rows(
        Table.request.select
          + " NOT INDEXED WHERE revision > ? AND state = 0 AND (wall IS NOT NULL OR due IS NULL) ORDER BY revision LIMIT ?",
        [.integer(revision), .integer(Int64(limit))], StoredRequest.init)
      for var request in requests {
        let next = date(request)
        if next != request.next {
          request.next = next
          try Self.update(request, in: database)
        }
        if isEnough() { return request.revision }
      }
      return requests.count < limit ? nil : requests.last?.revision
    }
  }

  /// Whether that date of the request, or of another of its name, was dealt with.
  func hasDelivery(_ occurrence: Occurrence, of request: StoredRequest) throws(StoreError) -> Bool {
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

  /// The nearest date for which the machine is to be woken.
  func nearestWake() throws(StoreError) -> Int64? {
    try read { database throws(StoreError) in
      try database.number("SELECT min(due) FROM request INDEXED BY request_wakes WHERE wakes = 1 AND state = 0")
    }
  }
}

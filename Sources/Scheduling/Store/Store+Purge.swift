// SPDX-License-Identifier: Apache-2.0

extension Store {
  /// How long history is kept, in milliseconds.
  public static let historyAge: Int64 = 30 * 86_400_000
  /// How many deliveries are kept.
  public static let historyLength: Int64 = 100_000

  /// Deletes history that is too old or too long, at most `limit` rows of each kind; returns false if more is left.
  ///
  /// Notifications on the screen and responses without an outcome stay.
  public func purge(
    now: Timestamp, limit: Int = 1000, age: Int64 = historyAge, length: Int64 = historyLength
  ) throws(StoreError) -> Bool {
    try write(.needed) { database throws(StoreError) in
      let most = SQLValue.integer(Int64(limit))
      // The oldest row that stays.
      let last =
        try database.number("SELECT number FROM delivery ORDER BY number DESC LIMIT 1 OFFSET ?", [.integer(length - 1)])
        ?? 0
      let deliveries = try deleteDeliveries(
        """
        number IN (SELECT number FROM delivery NOT INDEXED \
        WHERE state > 1 AND (number < ? OR intended < ?) AND \(Self.isAnswered) ORDER BY number LIMIT ?)
        """, [.integer(last), SQLValue(now - age), most], in: database)
      let responses = try deleteResponses(
        """
        number IN (SELECT number FROM response NOT INDEXED \
        WHERE state > 1 AND committed < ? ORDER BY number LIMIT ?)
        """, [SQLValue(now - age), most], in: database)
      let requests = try purgeRequests(in: database, limit: limit)
      let pushes = try purgePushes(now: now, limit: limit, in: database)
      let outgoing = try purgeOutgoing(limit: limit, in: database)
      return deliveries < limit && responses < limit && requests && pushes < limit && outgoing < limit
    }
  }

  /// How many bytes of requests one commit deletes, or one request.
  private static let mostBytesPurged: Int64 = 1 << 20

  /// Deletes requests that have ended and that no delivery needs; pending ones are skipped without being read. Returns
  /// false if there are more.
  private func purgeRequests(in database: Database, limit: Int) throws(StoreError) -> Bool {
    let revisions = try database.rows(
      """
      SELECT revision FROM request INDEXED BY request_over \
      WHERE state > 0 AND NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.revision = request.revision) LIMIT ?
      """, [.integer(Int64(limit))]
    ) { $0.integer(0) }
    let before = total.historyBytes
    for revision in revisions {
      if before - total.historyBytes > Self.mostBytesPurged { return false }
      try deleteRequests("revision = ?", [.integer(revision)], in: database)
    }
    return revisions.count < limit
  }
}

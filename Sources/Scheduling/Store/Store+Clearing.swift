// SPDX-License-Identifier: Apache-2.0

/// Deleting history at the user's wish.
extension Store {
  /// How many bytes of history one call of ``clear(_:before:)`` deletes, or one row.
  private static let mostBytesCleared: Int64 = 1 << 20

  /// The number of the newest delivery.
  public var lastDelivery: DeliveryRecord.Number {
    get throws(StoreError) {
      try read { database throws(StoreError) in
        DeliveryRecord.Number(try database.number("SELECT max(number) FROM delivery") ?? 0)
      }
    }
  }

  /// Deliveries that have ended, of one app or of all: at most `limit` after this number, the oldest first.
  public func ended(
    of app: String?, after number: DeliveryRecord.Number?, limit: Int
  ) throws(StoreError) -> [DeliveryRecord] {
    let start: [SQLValue] = [.integer(number?.value ?? 0), .integer(Int64(limit))]
    return try deliveries(
      app == nil
        ? " NOT INDEXED WHERE number > ?1 AND state > 1 ORDER BY number LIMIT ?2"
        : " INDEXED BY delivery_ended WHERE app = ?3 AND state > 1 AND number > ?1 ORDER BY number LIMIT ?2",
      start + (app.map { [.text($0)] } ?? []))
  }

  /// Deletes ended deliveries with their responses, and their requests if nothing else needs them. Stops after so many
  /// bytes; returns how many of `records` it has looked at, and those that it has deleted.
  ///
  /// Those of a pending request stay, because its dates that have come must not come again, and so do those with an
  /// unfinished response, and those that ended at this moment or later.
  public func clear(
    _ records: [DeliveryRecord], before end: Timestamp?
  ) throws(StoreError) -> (seen: Int, deleted: [DeliveryRecord]) {
    try write(.needed) { database throws(StoreError) in
      let before = total.historyBytes
      var deleted: [DeliveryRecord] = []
      for (index, record) in records.enumerated() {
        if before - total.historyBytes > Self.mostBytesCleared { return (index, deleted) }
        if let end, record.closed ?? record.intended >= end { continue }
        // `state < 2` is the condition of the index of names, without which all requests would be searched.
        let mayGo = try database.number(
          """
          SELECT 1 FROM delivery WHERE number = ? AND state > 1 AND \(Self.isAnswered) AND NOT EXISTS (SELECT 1 \
          FROM request WHERE request.app = delivery.app AND request.id = delivery.id AND request.state < 2 \
          AND request.state = 0)
          """, [SQLValue(record.number)])
        if mayGo == nil { continue }
        try forget(record.number, record.revision, of: record.app, in: database)
        deleted.append(record)
      }
      return (records.count, deleted)
    }
  }
}

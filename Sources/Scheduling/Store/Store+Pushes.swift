// SPDX-License-Identifier: Apache-2.0

extension Store {
  /// How long the id of a push is known, in milliseconds.
  public static let pushAge: Int64 = 7 * 86_400_000
  /// How many ids are known of one app; the oldest are forgotten.
  static let mostPushes: Int64 = 20_000
  /// The ids are counted when the number of a delivery is a multiple of this.
  private static let pushesBetweenCounts: Int64 = 64

  /// The id of the request that a push with this id became, within ``pushAge``; nil if there was none.
  public func request(ofPush id: String, of app: String, now: Timestamp) throws(StoreError) -> String? {
    try read { database throws(StoreError) in
      try database.rows(
        Table.pushed.select + " WHERE app = ? AND id = ? AND received > ?",
        [.text(app), .text(id), SQLValue(now - Self.pushAge)]
      ) { statement throws(StoreError) in try Table.pushed.read(statement)[3].text }.first ?? nil
    }
  }

  /// Keeps what must be known of a push, in the transaction that stores its delivery.
  public func recordPush(_ push: PushRecord, as delivery: DeliveryRecord, now: Timestamp) throws(StoreError) {
    guard push.id != nil || push.lapses != nil else { return }
    try write(.needed) { database throws(StoreError) in
      if let id = push.id {
        // An older one with its id, which is no longer known.
        try database.run("DELETE FROM pushed WHERE app = ? AND id = ?", [.text(push.app), .text(id)])
      }
      let row: [SQLValue] = [
        SQLValue(delivery.number), .text(push.app), SQLValue(push.id), .text(delivery.id), SQLValue(now),
        SQLValue(push.lapses), SQLValue(push.route?.text), .null,
      ]
      try database.run(Table.pushed.replace, Table.pushed.checked(row))
      if delivery.number.value % Self.pushesBetweenCounts == 0 { try trimPushes(of: push.app, in: database) }
    }
  }

  /// The last moment to show a delivery; nil if it has none.
  public func lapse(of delivery: DeliveryRecord.Number) throws(StoreError) -> Timestamp? {
    try read { database throws(StoreError) in
      try database.rows(Table.pushed.select + " WHERE number = ?", [SQLValue(delivery)]) {
        statement throws(StoreError) in
        try Table.pushed.read(statement)[5].timestamp
      }.first ?? nil
    }
  }

  private func trimPushes(of app: String, in database: Database) throws(StoreError) {
    let last = try database.number(
      "SELECT number FROM pushed INDEXED BY pushed_app WHERE app = ? ORDER BY number DESC LIMIT 1 OFFSET ?",
      [.text(app), .integer(Self.mostPushes)])
    guard let last else { return }
    try database.run("DELETE FROM pushed WHERE app = ? AND number <= ?", [.text(app), .integer(last)])
  }

  /// Deletes what is known of old pushes, at most `limit` rows; returns how many. Those that have not been shown stay.
  func purgePushes(now: Timestamp, limit: Int, in database: Database) throws(StoreError) -> Int {
    try database.run(
      """
      DELETE FROM pushed WHERE number IN (SELECT number FROM pushed NOT INDEXED WHERE received <= ? AND NOT EXISTS \
      (SELECT 1 FROM delivery WHERE delivery.number = pushed.number AND delivery.state = 0) ORDER BY number LIMIT ?)
      """, [SQLValue(now - Self.pushAge), .integer(Int64(limit))])
  }
}

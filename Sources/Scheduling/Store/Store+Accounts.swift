// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The accounts of apps, and the deletion of history that exceeds them.
extension Store {
  /// The account of an app, including the open transaction.
  package func account(of app: String) throws(StoreError) -> Account {
    try read { database throws(StoreError) in
      try committedAccount(of: app, in: database).account + (change?.accounts[Identifier(app)] ?? Account())
    }
  }

  /// The total of all accounts.
  public var total: Account { change?.total ?? counter.total }

  /// The number of accounts in the cache.
  private static let mostKept = 1000

  func committedAccount(of app: String, in database: Database) throws(StoreError) -> Account.Kept {
    if let kept = accounts[Identifier(app)] { return kept }
    let kept = try Account.kept(of: app, in: database) ?? Account.Kept(number: 0, account: Account())
    if accounts.count >= Self.mostKept { accounts = [:] }
    accounts[Identifier(app)] = kept
    return kept
  }

  /// Throws if new requests exceed the quota of the app; called in the transaction that stores them.
  func checkQuota(of apps: Set<Identifier>) throws(StoreError) {
    for app in apps {
      guard let grown = change?.accounts[app] else { continue }
      try checkQuota(of: app, grown: grown, account: try account(of: app.text), total: total)
    }
  }

  /// - Parameters:
  ///   - account: the account of the app, including `grown`.
  ///   - total: the total of all apps.
  func checkQuota(of app: Identifier, grown: Account, account: Account, total: Account) throws(StoreError) {
    let limits = quotas.limits(of: account, total: total)
    if grown.pendingBytes > 0, account.pendingBytes > limits.pendingBytes {
      let most = Self.text(limits.pendingBytes)
      throw StoreError(
        .quota, "the pending requests of '\(app.text)' would take more than \(most); cancel some")
    }
    // Ended notifications are deleted when new ones come; the others are on the screen, or will be.
    let isOver =
      account.historyBytes > limits.historyBytes + limits.historyBytes / 4
      || account.isBoxed && account.historyRows > limits.historyRows + limits.historyRows / 4
    if grown.historyBytes > 0, isOver {
      throw StoreError(
        .quota, "too many notifications of '\(app.text)' are on the screen or wait for it; dismiss some")
    }
  }

  /// Does what `body` does in the open transaction, or nothing if that fails with such an error: then it is returned.
  func refusal(
    of body: (Store) throws(StoreError) -> Void, if isSuch: (StoreError) -> Bool
  ) throws(StoreError) -> StoreError? {
    let database = try opened()
    let before = change
    try database.run("SAVEPOINT part")
    do {
      try body(self)
      try database.run("RELEASE part")
      return nil
    } catch  where isSuch(error) {
      try database.run("ROLLBACK TO part")
      try database.run("RELEASE part")
      change = before
      return error
    }
  }

  private static func text(_ bytes: Int64) -> String {
    bytes < 1 << 20 ? "\(max(0, bytes)) bytes" : "\(bytes >> 20) MiB"
  }

  // MARK: Trimming

  /// The number of history rows of an app that one commit deletes.
  private static let mostTrimmed: Int64 = 1000
  /// How many bytes one commit deletes beyond twice what it adds.
  private static let mostBytesTrimmed: Int64 = 256 << 10

  /// Deletes the oldest of an app's history where a transaction has added to one that is full: up to twice as many rows
  /// and bytes as it has added and some more, so that each commit stays short.
  func trim(in database: Database) throws(StoreError) {
    guard let grown = change?.accounts else { return }
    for (name, grown) in grown where grown.historyBytes > 0 || grown.historyRows > 0 || grown.replyBytes > 0 {
      let app = name.text
      var account = try account(of: app)
      let limits = quotas.limits(of: account, total: total)
      if account.historyRows > limits.historyRows || account.historyBytes > limits.historyBytes {
        let most = min(Self.mostTrimmed, 2 * max(0, grown.historyRows) + 64)
        let least = account.historyBytes - 2 * max(0, grown.historyBytes) - Self.mostBytesTrimmed
        for (number, revision) in try oldest(of: app, limit: most, in: database) {
          guard account.historyRows > limits.historyRows || account.historyBytes > limits.historyBytes,
            account.historyBytes > least
          else { break }
          try forget(number, revision, of: app, in: database)
          account = try self.account(of: app)
        }
      }
      if account.replyBytes > limits.replyBytes { try trimReplies(of: app, to: limits.replyBytes, in: database) }
    }
  }

  /// Ended deliveries without an unfinished response, oldest first.
  private func oldest(
    of app: String, limit: Int64, in database: Database
  ) throws(StoreError) -> [(number: DeliveryRecord.Number, revision: StoredRequest.Revision)] {
    try database.rows(
      """
      SELECT number, revision FROM delivery INDEXED BY delivery_ended WHERE app = ? AND state > 1 AND \(Self.isAnswered) \
      ORDER BY number LIMIT ?
      """, [.text(app), .integer(limit)]
    ) { (DeliveryRecord.Number($0.integer(0)), StoredRequest.Revision($0.integer(1))) }
  }

  /// The condition that no response to a delivery lacks its outcome.
  static let isAnswered =
    "NOT EXISTS (SELECT 1 FROM response WHERE response.delivery = delivery.number AND response.state < 2)"

  /// Deletes a delivery, its responses, and its request if that has ended and is not needed otherwise.
  func forget(
    _ number: DeliveryRecord.Number, _ revision: StoredRequest.Revision, of app: String, in database: Database
  ) throws(StoreError) {
    try deleteDeliveries("number = ?", [SQLValue(number)], in: database)
    try database.run("DELETE FROM outbox WHERE delivery = ? AND step IS NOT NULL", [SQLValue(number)])
    try deleteResponses("delivery = ?", [SQLValue(number)], in: database)
    try deleteRequests(
      "revision = ?1 AND state > 0 AND NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.revision = ?1)",
      [SQLValue(revision)], in: database)
  }

  private func trimReplies(of app: String, to limit: Int64, in database: Database) throws(StoreError) {
    let numbers = try database.rows(
      """
      SELECT response.number FROM delivery INDEXED BY delivery_ended \
      CROSS JOIN response ON response.delivery = delivery.number \
      WHERE delivery.app = ? AND delivery.state > 1 AND response.state > 1 AND response.reply IS NOT NULL \
      ORDER BY delivery.number LIMIT 64
      """, [.text(app)]
    ) { $0.integer(0) }
    for number in numbers {
      guard try account(of: app).replyBytes > limit else { return }
      try deleteResponses("number = ?", [.integer(number)], in: database)
    }
  }

  // MARK: Deleting

  /// Deletes rows; returns the app and the charge of each.
  private func delete(
    from table: Table, _ size: String, _ condition: String, _ values: [SQLValue], in database: Database
  ) throws(StoreError) -> [(app: String, size: Int64)] {
    try database.rows("DELETE FROM \(table.name) WHERE \(condition) RETURNING app, \(size)", values) {
      ($0.text(0), $0.integer(1))
    }
  }

  /// Deletes deliveries and releases their charges; returns their number.
  @discardableResult
  func deleteDeliveries(
    _ condition: String, _ values: [SQLValue], in database: Database
  ) throws(StoreError) -> Int {
    let deleted = try delete(from: .delivery, Account.deliverySize, condition, values, in: database)
    for (app, size) in deleted {
      change?.charge(app) {
        $0.historyRows -= 1
        $0.historyBytes -= size
      }
    }
    return deleted.count
  }

  /// Deletes ended requests and releases their charges; returns their number.
  @discardableResult
  func deleteRequests(
    _ condition: String, _ values: [SQLValue], in database: Database
  ) throws(StoreError) -> Int {
    let deleted = try delete(from: .request, Account.requestSize, condition, values, in: database)
    for (app, size) in deleted { change?.charge(app) { $0.historyBytes -= size } }
    return deleted.count
  }

  /// Deletes responses and releases the charges of their replies; returns their number.
  @discardableResult
  func deleteResponses(
    _ condition: String, _ values: [SQLValue], in database: Database
  ) throws(StoreError) -> Int {
    let deleted = try delete(from: .response, Account.replySize, condition, values, in: database)
    for (app, size) in deleted where size > 0 { change?.charge(app) { $0.replyBytes -= size } }
    return deleted.count
  }

  // MARK: Writing

  /// Writes the accounts that the transaction has changed; returns them for use after the commit.
  func writeAccounts(in database: Database) throws(StoreError) -> [Identifier: Account.Kept] {
    var written: [Identifier: Account.Kept] = [:]
    for (app, grown) in change?.accounts ?? [:] {
      let before = try committedAccount(of: app.text, in: database)
      var kept = Account.Kept(number: before.number, account: before.account + grown)
      if kept.account == before.account { continue }
      if kept.number == 0 {
        let last = try database.number("SELECT max(number) FROM tally") ?? 0
        kept = Account.Kept(number: last + 1, account: kept.account)
        try database.run(Table.tally.insert, Table.tally.checked(kept.account.row(number: kept.number, app: app.text)))
      } else {
        try update(kept, of: app.text, in: database)
      }
      written[app] = kept
    }
    return written
  }

  /// Called after the commit.
  func keep(_ written: [Identifier: Account.Kept]) {
    if accounts.count + written.count > Self.mostKept { accounts = [:] }
    if written.count > Self.mostKept { return }
    for (app, kept) in written { accounts[app] = kept.account.isEmpty ? nil : kept }
  }

  private func update(_ kept: Account.Kept, of app: String, in database: Database) throws(StoreError) {
    if kept.account.isEmpty {
      try database.run("DELETE FROM tally WHERE number = ?", [.integer(kept.number)])
      return
    }
    try database.run(Account.update, Table.tally.checked(kept.account.row(number: kept.number, app: app)))
  }
}

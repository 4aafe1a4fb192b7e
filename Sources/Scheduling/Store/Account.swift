// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The data that the store keeps for one app, by kind. A row is charged when it is written and released when it is
/// deleted, in the same transaction.
public struct Account: Hashable, Sendable {
  /// How many requests are pending.
  public internal(set) var pending: Int64 = 0
  /// The bytes of pending requests.
  package internal(set) var pendingBytes: Int64 = 0
  /// How many deliveries are kept.
  package internal(set) var historyRows: Int64 = 0
  /// The bytes of deliveries, and of requests that are not pending any more.
  package internal(set) var historyBytes: Int64 = 0
  /// The bytes of the user's replies.
  package internal(set) var replyBytes: Int64 = 0
  /// Whether a sandboxed program has used the app's name; its quotas are then smaller.
  var isBoxed = false

  /// Whether the store keeps nothing for the app.
  var isEmpty: Bool {
    var empty = Account()
    empty.isBoxed = isBoxed
    return self == empty
  }

  /// The charge of a row in addition to its texts: for its other columns and its index entries.
  static let rowSize: Int64 = 256

  static func + (left: Account, right: Account) -> Account {
    var sum = left
    sum.pending += right.pending
    sum.pendingBytes += right.pendingBytes
    sum.historyRows += right.historyRows
    sum.historyBytes += right.historyBytes
    sum.replyBytes += right.replyBytes
    sum.isBoxed = left.isBoxed || right.isBoxed
    return sum
  }

  /// Adds another account.
  public mutating func add(_ other: Account) { self = self + other }

  static func - (left: Account, right: Account) -> Account {
    var difference = Account()
    difference.pending = left.pending - right.pending
    difference.pendingBytes = left.pendingBytes - right.pendingBytes
    difference.historyRows = left.historyRows - right.historyRows
    difference.historyBytes = left.historyBytes - right.historyBytes
    difference.replyBytes = left.replyBytes - right.replyBytes
    return difference
  }
}

extension StoredRequest {
  /// The charge in bytes; ``Account/requestSize`` is the same in SQL.
  var size: Int64 { Account.rowSize + Int64(app.utf8.count + id.utf8.count + payload.utf8.count) }
}

extension DeliveryRecord {
  /// The charge in bytes; ``Account/deliverySize`` is the same in SQL.
  var size: Int64 {
    var size = Account.rowSize + Int64(app.utf8.count + id.utf8.count)
    size += Int64((occurrence.wall?.utf8.count ?? 0) + (occurrence.zone?.utf8.count ?? 0))
    size += Int64((server?.utf8.count ?? 0) + (reason?.utf8.count ?? 0) + (keys?.utf8.count ?? 0))
    size += Int64((eventText?.utf8.count ?? 0) + (showingsText?.utf8.count ?? 0))
    return size
  }
}

// MARK: Rows

extension Account {
  static let requestSize = size(of: ["app", "id", "payload"])
  static let deliverySize = size(
    of: ["app", "id", "wall", "zone", "server", "reason", "keys", "event", "showings"])
  static let replySize = "ifnull(length(CAST(reply AS BLOB)), 0)"

  private static func size(of texts: [String]) -> String {
    texts.reduce("\(rowSize)") { $0 + " + ifnull(length(CAST(\($1) AS BLOB)), 0)" }
  }

  /// How many columns of the row are those of an app; the others belong to the ``Counter``.
  static let width = 8

  /// The row of an app.
  func row(number: Int64, app: String) -> [SQLValue] {
    row(number: number, key: .text(app), counts: (.null, .null, .null, .null))
  }

  /// A row of ``Table/tally``.
  ///
  /// - Parameters:
  ///   - key: the app, or what no app is called.
  ///   - counts: the last columns, which only the row of the ``Counter`` has.
  func row(
    number: Int64, key: SQLValue, counts: (SQLValue, SQLValue, SQLValue, SQLValue)
  ) -> [SQLValue] {
    [
      .integer(number), key, .integer(pending), isBoxed ? 1 : 0, .integer(pendingBytes), .integer(historyRows),
      .integer(historyBytes), .integer(replyBytes), counts.0, counts.1, counts.2, counts.3,
    ]
  }

  /// Changes a row. Without REPLACE, which would also write to the index.
  static let update = """
    UPDATE tally SET crc = ?1, pending = ?4, boxed = ?5, pending_bytes = ?6, history_rows = ?7, history_bytes = ?8, \
    reply_bytes = ?9, revision = ?10, delivery = ?11, response = ?12, commits = ?13 WHERE number = ?2
    """

  /// Reads a row whose checksum is correct; older rows may lack the last columns.
  init(row: [SQLValue]) {
    func column(_ index: Int) -> Int64 { index < row.count ? row[index].integer ?? 0 : 0 }
    pending = column(2)
    isBoxed = column(3) == 1
    pendingBytes = column(4)
    historyRows = column(5)
    historyBytes = column(6)
    replyBytes = column(7)
  }

  /// Computes the accounts of all apps from the rows. Reads the whole store.
  static func counted(in database: Database) throws(StoreError) -> [Identifier: Account] {
    var accounts: [Identifier: Account] = [:]
    func add(
      _ sql: String, _ charge: (inout Account, _ rows: Int64, _ bytes: Int64) -> Void
    ) throws(StoreError) {
      for (app, rows, bytes) in try database.rows(sql, [], { ($0.text(0), $0.integer(1), $0.integer(2)) }) {
        charge(&accounts[Identifier(app), default: Account()], rows, bytes)
      }
    }
    try add("SELECT app, count(*), sum(\(requestSize)) FROM request WHERE state = 0 GROUP BY app") {
      $0.pending += $1
      $0.pendingBytes += $2
    }
    try add("SELECT app, count(*), sum(\(requestSize)) FROM request WHERE state > 0 GROUP BY app") {
      $0.historyBytes += $2
    }
    try add("SELECT app, count(*), sum(\(deliverySize)) FROM delivery GROUP BY app") {
      $0.historyRows += $1
      $0.historyBytes += $2
    }
    try add("SELECT app, count(*), sum(\(replySize)) FROM response WHERE reply IS NOT NULL GROUP BY app") {
      $0.replyBytes += $2
    }
    return accounts
  }

  /// Rewrites the accounts from the rows, and returns their total.
  ///
  /// - Parameter boxed: the apps of sandboxed programs.
  static func recount(in database: Database, boxed: Set<Identifier> = []) throws(StoreError) -> Account {
    try database.run("DELETE FROM tally WHERE number <> \(Counter.number)")
    var total = Account()
    for (index, entry) in try counted(in: database).sorted(by: { $0.key < $1.key }).enumerated() {
      var account = entry.value
      total = total + account
      account.isBoxed = boxed.contains(entry.key)
      try database.run(
        Table.tally.insert, Table.tally.checked(account.row(number: Int64(index + 1), app: entry.key.text)))
    }
    return total
  }

  /// The row of an app; nil if the store keeps nothing for it.
  static func kept(of app: String, in database: Database) throws(StoreError) -> Kept? {
    try database.rows(Table.tally.select + " WHERE app = ?", [.text(app)]) { statement throws(StoreError) in
      let row = try Table.tally.read(statement)
      return Kept(number: row[0].integer ?? 0, account: Account(row: row))
    }.first
  }

  /// An account with the number of its row.
  struct Kept {
    let number: Int64
    var account: Account
  }
}

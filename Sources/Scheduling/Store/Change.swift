// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The last numbers assigned to rows, the number of commits, and the total of the accounts.
struct Counter: Equatable {
  var revision = StoredRequest.Revision.none
  var delivery = DeliveryRecord.Number.none
  var response = ResponseRecord.Number.none
  var commits: Int64 = 0
  /// The total of all accounts.
  var total = Account()

  init() {}

  init(in database: Database) throws(StoreError) {
    let found = try database.rows(Table.counter.select) { statement throws(StoreError) in
      try Table.counter.read(statement)
    }
    if let row = found.first { self.init(row: row) } else { self.init() }
  }

  /// Reads a row whose checksum is correct.
  init(row: [SQLValue]) {
    revision = StoredRequest.Revision(row[1].integer ?? 0)
    delivery = DeliveryRecord.Number(row[2].integer ?? 0)
    response = ResponseRecord.Number(row[3].integer ?? 0)
    commits = row[4].integer ?? 0
    total.pending = row[5].integer ?? 0
    // Rows of older files lack the last columns.
    guard row.count > 9 else { return }
    total.pendingBytes = row[6].integer ?? 0
    total.historyRows = row[7].integer ?? 0
    total.historyBytes = row[8].integer ?? 0
    total.replyBytes = row[9].integer ?? 0
  }
}

extension Counter {
  func write(to database: Database) throws(StoreError) {
    let values: [SQLValue] = [
      1, SQLValue(revision), SQLValue(delivery), SQLValue(response), .integer(commits), .integer(total.pending),
      .integer(total.pendingBytes), .integer(total.historyRows), .integer(total.historyBytes),
      .integer(total.replyBytes),
    ]
    try database.run(Table.counter.replace, Table.counter.checked(values))
  }
}

/// The changes of a transaction to counters and accounts, written once at its end.
struct Change {
  var counter: Counter
  /// The growth of each app's account.
  private(set) var accounts: [Identifier: Account] = [:]
  /// The requests that waited for a condition and were replaced or cancelled.
  var disarmed: [StoredRequest.Revision] = []
  /// Whether any stored request waits for a condition.
  var isAnyArmed = false
  /// The deliveries that are shown again, or not any more.
  var nags: [Store.NagChange] = []

  init(_ counter: Counter) { self.counter = counter }

  /// Charges an app for written rows, or releases deleted ones.
  mutating func charge(_ app: String, _ body: (inout Account) -> Void) {
    body(&accounts[Identifier(app), default: Account()])
  }

  /// The total of all accounts.
  var total: Account {
    var total = accounts.values.reduce(counter.total, +)
    total.isBoxed = false
    return total
  }
}

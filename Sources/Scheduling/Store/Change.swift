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
    let found = try database.rows(Table.tally.select + " WHERE number = \(Self.number)") {
      statement throws(StoreError) in try Table.tally.read(statement)
    }
    if let row = found.first { self.init(row: row) } else { self.init() }
  }
}

// MARK: Its row

extension Counter {
  /// The number of its row, which no account has.
  static let number: Int64 = 0

  /// Reads a row of ``Table/tally`` whose checksum is correct.
  init(row: [SQLValue]) {
    total = Account(row: row)
    revision = StoredRequest.Revision(row[8].integer ?? 0)
    delivery = DeliveryRecord.Number(row[9].integer ?? 0)
    response = ResponseRecord.Number(row[10].integer ?? 0)
    commits = row[11].integer ?? 0
  }

  /// Reads a row of ``Table/counter`` whose checksum is correct. Rows of the first files lack the last columns.
  init(oldRow row: [SQLValue]) {
    func column(_ index: Int) -> Int64 { index < row.count ? row[index].integer ?? 0 : 0 }
    revision = StoredRequest.Revision(column(1))
    delivery = DeliveryRecord.Number(column(2))
    response = ResponseRecord.Number(column(3))
    commits = column(4)
    total.pending = column(5)
    total.pendingBytes = column(6)
    total.historyRows = column(7)
    total.historyBytes = column(8)
    total.replyBytes = column(9)
  }

  private var row: [SQLValue] {
    total.row(
      number: Self.number, key: .blob([]),
      counts: (SQLValue(revision), SQLValue(delivery), SQLValue(response), .integer(commits)))
  }

  func insert(into database: Database) throws(StoreError) {
    try database.run(Table.tally.insert, Table.tally.checked(row))
  }

  func write(to database: Database) throws(StoreError) {
    try database.run(Account.update, Table.tally.checked(row))
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

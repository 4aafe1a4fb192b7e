// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The last numbers given to rows, how often has been committed, and how many requests are pending.
struct Counter: Equatable {
  var revision: Int64 = 0
  var delivery: Int64 = 0
  var response: Int64 = 0
  var commits: Int64 = 0
  var pending: Int64 = 0

  init() {}

  init(in database: Database) throws(StoreError) {
    let found = try database.rows(Table.counter.select) { statement throws(StoreError) in
      try Table.counter.read(statement)
    }
    if let row = found.first { self.init(row: row) } else { self.init() }
  }

  /// From a row whose checksum is right.
  init(row: [SQLValue]) {
    revision = row[1].integer ?? 0
    delivery = row[2].integer ?? 0
    response = row[3].integer ?? 0
    commits = row[4].integer ?? 0
    pending = row[5].integer ?? 0
  }
}

extension Counter {
  func write(to database: Database) throws(StoreError) {
    let values: [SQLValue] = [
      1, .integer(revision), .integer(delivery), .integer(response), .integer(commits), .integer(pending),
    ]
    try database.run(Table.counter.replace, Table.counter.checked(values))
  }
}

/// What a transaction changes besides its rows: written once at its end, however many rows it has.
struct Change {
  var counter: Counter
  /// By how much the number of pending requests grew, by app.
  var pending: [Identifier: Int64] = [:]

  init(_ counter: Counter) { self.counter = counter }

  mutating func grow(_ app: String, by number: Int64) {
    pending[Identifier(app), default: 0] += number
    counter.pending += number
  }

  func write(to database: Database) throws(StoreError) {
    try counter.write(to: database)
    for (app, grown) in pending where grown != 0 { try Self.add(grown, to: app.text, in: database) }
  }

  private static func add(_ grown: Int64, to app: String, in database: Database) throws(StoreError) {
    let row = try tally(of: app, in: database)
    let number: SQLValue =
      if let row { row[0] } else { .integer((try database.number("SELECT max(number) FROM tally") ?? 0) + 1) }
    let pending = (row?[2].integer ?? 0) + grown
    if pending == 0 {
      try database.run("DELETE FROM tally WHERE number = ?", [number])
    } else if row != nil {
      // Not REPLACE, which would write to the index as well.
      let crc = Table.tally.checksum([number, .text(app), .integer(pending)])
      try database.run(
        "UPDATE tally SET crc = ?, pending = ? WHERE number = ?", [.integer(crc), .integer(pending), number])
    } else {
      try database.run(Table.tally.insert, Table.tally.checked([number, .text(app), .integer(pending)]))
    }
  }

  private static func tally(of app: String, in database: Database) throws(StoreError) -> [SQLValue]? {
    try database.rows(Table.tally.select + " WHERE app = ?", [.text(app)]) { statement throws(StoreError) in
      try Table.tally.read(statement)
    }.first
  }

  static func pending(of app: String, in database: Database) throws(StoreError) -> Int64 {
    try tally(of: app, in: database)?[2].integer ?? 0
  }
}

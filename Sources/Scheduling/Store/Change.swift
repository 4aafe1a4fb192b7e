// SPDX-License-Identifier: Apache-2.0

/// The last numbers given to rows, and how often has been committed.
struct Counter: Equatable {
  var revision: Int64 = 0
  var delivery: Int64 = 0
  var response: Int64 = 0
  var commits: Int64 = 0

  init() {}

  init(in database: Database) throws(StoreError) {
    let found = try database.rows(Table.counter.select) { statement throws(StoreError) in
      Array(try Table.counter.read(statement))
    }
    guard let row = found.first else { return }
    revision = row[1].integer ?? 0
    delivery = row[2].integer ?? 0
    response = row[3].integer ?? 0
    commits = row[4].integer ?? 0
  }
}

/// What a transaction changes besides its rows: written once at its end, however many rows it has.
struct Change {
  var counter: Counter
  /// By how much the number of pending requests grew, by app.
  var pending: [String: Int64] = [:]

  init(_ counter: Counter) { self.counter = counter }

  func write(to database: Database) throws(StoreError) {
    let values: [SQLValue] = [
      1, .integer(counter.revision), .integer(counter.delivery), .integer(counter.response), .integer(counter.commits),
    ]
    try database.run(Table.counter.replace, Table.counter.checked(values))
    let grown = pending.values.reduce(0, +)
    if grown != 0 { try Self.add(grown, to: "", in: database) }
    for (app, grown) in pending where grown != 0 { try Self.add(grown, to: app, in: database) }
  }

  private static func add(_ grown: Int64, to app: String, in database: Database) throws(StoreError) {
    let row = try tally(of: app, in: database)
    let number: SQLValue =
      if let row { row[0] } else { .integer((try database.number("SELECT max(number) FROM tally") ?? 0) + 1) }
    let pending = (row?[2].integer ?? 0) + grown
    if pending == 0, !app.isEmpty {
      try database.run("DELETE FROM tally WHERE number = ?", [number])
    } else {
      try database.run(Table.tally.replace, Table.tally.checked([number, .text(app), .integer(pending)]))
    }
  }

  private static func tally(of app: String, in database: Database) throws(StoreError) -> [SQLValue]? {
    try database.rows(Table.tally.select + " WHERE app = ?", [.text(app)]) { statement throws(StoreError) in
      Array(try Table.tally.read(statement))
    }.first
  }

  static func pending(of app: String, in database: Database) throws(StoreError) -> Int64 {
    try tally(of: app, in: database)?[2].integer ?? 0
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// One step from a schema to the next; never edited after its release.
package struct Migration: Sendable {
  /// The resulting schema.
  package let version: Int64
  /// The statements, run in order in one transaction.
  package let statements: [String]
  /// Code that runs after them in the same transaction, if SQL is not enough.
  let completion: (@Sendable (Database) throws(StoreError) -> Void)?

  /// A step.
  package init(_ version: Int64, _ statements: [String]) {
    self.version = version
    self.statements = statements
    completion = nil
  }

  init(
    _ version: Int64, _ statements: [String], then completion: @escaping @Sendable (Database) throws(StoreError) -> Void
  ) {
    self.version = version
    self.statements = statements
    self.completion = completion
  }

  /// 'SUZU': identifies our files among SQLite files, and empty ones.
  package static let applicationID: Int64 = 0x5355_5A55

  /// All steps, oldest first.
  package static let all = [
    first, asker, accounts, intake, signedChecksums, conditions, nags, pushes, outbox, calls, onePage,
  ]

  /// The newest schema.
  package static var newest: Int64 { all.last?.version ?? 0 }

  /// The key of a request is its revision, so that new rows are appended to the file, and a replaced request can stay
  /// for its deliveries. States below 2 are current; the indexes contain only those, and answer without reading the
  /// row.
  private static let first = Migration(
    1,
    [
      """
      CREATE TABLE request (crc INTEGER NOT NULL, revision INTEGER PRIMARY KEY, app TEXT NOT NULL, id TEXT NOT NULL, \
      payload TEXT NOT NULL, state INTEGER NOT NULL, due INTEGER, wall TEXT, zone TEXT, fold INTEGER NOT NULL, \
      fired INTEGER NOT NULL, created INTEGER NOT NULL, elapsed INTEGER, wakes INTEGER)
      """,
      "CREATE UNIQUE INDEX request_name ON request (app, id) WHERE state < 2",
      "CREATE INDEX request_due ON request (due, revision, app) WHERE state = 0",
      "CREATE INDEX request_elapsed ON request (revision) WHERE elapsed = 1 AND state = 0",
      "CREATE INDEX request_wakes ON request (due) WHERE wakes = 1 AND state = 0",
      "CREATE INDEX request_over ON request (revision) WHERE state > 0",
      """
      CREATE TABLE delivery (crc INTEGER NOT NULL, number INTEGER PRIMARY KEY, revision INTEGER NOT NULL, \
      app TEXT NOT NULL, id TEXT NOT NULL, wall TEXT NOT NULL, zone TEXT NOT NULL, fold INTEGER NOT NULL, \
      due INTEGER NOT NULL, state INTEGER NOT NULL, missed INTEGER NOT NULL, intended INTEGER NOT NULL, server TEXT, \
      server_number INTEGER, posted INTEGER, closed INTEGER, reason TEXT, keys TEXT, UNIQUE (app, id, wall, zone, fold))
      """,
      "CREATE INDEX delivery_open ON delivery (app, id) WHERE state < 2",
      "CREATE INDEX delivery_posted ON delivery (server, server_number) WHERE server IS NOT NULL",
      "CREATE INDEX delivery_request ON delivery (revision)",
      """
      CREATE TABLE response (crc INTEGER NOT NULL, number INTEGER PRIMARY KEY, delivery INTEGER, \
      revision INTEGER NOT NULL, app TEXT NOT NULL, id TEXT NOT NULL, action TEXT NOT NULL, reply TEXT, due INTEGER, \
      state INTEGER NOT NULL, committed INTEGER NOT NULL, finished INTEGER, outcome TEXT)
      """,
      "CREATE INDEX response_open ON response (number) WHERE state < 2",
      "CREATE INDEX response_delivery ON response (delivery)",
      "CREATE TABLE tally (crc INTEGER NOT NULL, number INTEGER PRIMARY KEY, app TEXT NOT NULL UNIQUE, pending INTEGER NOT NULL)",
      """
      CREATE TABLE counter (crc INTEGER NOT NULL, number INTEGER PRIMARY KEY, revision INTEGER NOT NULL, \
      delivery INTEGER NOT NULL, response INTEGER NOT NULL, commits INTEGER NOT NULL, pending INTEGER NOT NULL)
      """,
      "CREATE TABLE setting (crc INTEGER NOT NULL, number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, value TEXT NOT NULL)",
      "PRAGMA application_id = \(applicationID)",
    ])

  /// The rights a request was made with: lookups for showing or answering it use these.
  private static let asker = Migration(2, ["ALTER TABLE request ADD COLUMN asker TEXT"])

  /// Accounts by app; the index finds the oldest history of an app.
  private static let accounts = Migration(
    3,
    ["boxed", "pending_bytes", "history_rows", "history_bytes", "reply_bytes"].map {
      "ALTER TABLE tally ADD COLUMN \($0) INTEGER"
    }
      + ["pending_bytes", "history_rows", "history_bytes", "reply_bytes"].map {
        "ALTER TABLE counter ADD COLUMN \($0) INTEGER"
      } + ["CREATE INDEX delivery_ended ON delivery (app, number) WHERE state > 1"])
}

extension Migration {
  /// The table for a batch of requests that is stored in parts.
  fileprivate static let intake = Migration(
    4, ["CREATE TABLE intake (crc INTEGER NOT NULL, number INTEGER PRIMARY KEY, requests TEXT NOT NULL)"])

  /// New rows have a checksum with a sign, which earlier programs do not know: ``Table/matches(_:_:)``.
  fileprivate static let signedChecksums = Migration(5, [])

  /// The state of the condition that a request waits for, and what happened when it was met.
  fileprivate static let conditions = Migration(
    6, ["ALTER TABLE request ADD COLUMN armed TEXT", "ALTER TABLE delivery ADD COLUMN event TEXT"])

  /// When a notification is shown again because it was not answered, and its showings so far. The index holds only
  /// those that are shown again.
  fileprivate static let nags = Migration(
    7,
    [
      "ALTER TABLE delivery ADD COLUMN again INTEGER", "ALTER TABLE delivery ADD COLUMN showings TEXT",
      "CREATE INDEX delivery_again ON delivery (app, id) WHERE again IS NOT NULL",
    ])
}

extension Migration {
  /// The ids of pushes, and until when they may be shown. The number is that of the delivery.
  fileprivate static let pushes = Migration(
    8,
    [
      """
      CREATE TABLE pushed (crc INTEGER NOT NULL, number INTEGER PRIMARY KEY, app TEXT NOT NULL, id TEXT, \
      request TEXT NOT NULL, received INTEGER NOT NULL, lapses INTEGER)
      """,
      "CREATE UNIQUE INDEX pushed_id ON pushed (app, id) WHERE id IS NOT NULL",
      "CREATE INDEX pushed_app ON pushed (app, number)",
    ])

  /// Messages to servers elsewhere, with their results. A step of a delivery is sent once.
  fileprivate static let outbox = Migration(
    9,
    [
      """
      CREATE TABLE outbox (crc INTEGER NOT NULL, number INTEGER PRIMARY KEY, app TEXT NOT NULL, delivery INTEGER, \
      step INTEGER, response INTEGER, link TEXT, content TEXT, queued INTEGER NOT NULL, state INTEGER NOT NULL, \
      settled INTEGER, detail TEXT)
      """,
      "CREATE UNIQUE INDEX outbox_step ON outbox (delivery, step, coalesce(link, '')) WHERE step IS NOT NULL",
      "CREATE INDEX outbox_open ON outbox (number) WHERE state = 0",
    ])

  /// The action of a response makes its call once. A push may know where its answer goes, and who has answered.
  fileprivate static let calls = Migration(
    10,
    [
      "CREATE UNIQUE INDEX outbox_response ON outbox (response) WHERE response IS NOT NULL",
      "CREATE UNIQUE INDEX outbox_answer ON outbox (delivery) WHERE step IS NULL AND delivery IS NOT NULL",
      "ALTER TABLE pushed ADD COLUMN route TEXT", "ALTER TABLE pushed ADD COLUMN answered TEXT",
    ])

  /// The counter is a row among the accounts. All are counted again, because schemas before 3 had no sizes.
  fileprivate static let onePage = Migration(
    11,
    ["revision", "delivery", "response", "commits"].map { "ALTER TABLE tally ADD COLUMN \($0) INTEGER" }
  ) { database throws(StoreError) in
    let found = try database.rows(Table.counter.select) { statement throws(StoreError) in
      Counter(oldRow: try Table.counter.read(statement))
    }
    let boxed = try database.rows("SELECT app FROM tally WHERE boxed = 1") { Identifier($0.text(0)) }
    var counter = found.first ?? Counter()
    let pending = counter.total.pending
    counter.total = try Account.recount(in: database, boxed: Set(boxed))
    guard counter.total.pending == pending else {
      throw StoreError(.damaged, "\(pending) requests should be pending, but \(counter.total.pending) are")
    }
    try counter.insert(into: database)
    try database.runOnce("DROP TABLE counter")
  }
}

extension Database {
  /// The schema of the file; 0 if it has none yet.
  var schemaVersion: Int64 { get throws(StoreError) { try number("PRAGMA user_version") ?? 0 } }

  /// Runs the missing steps, each in a transaction that also stores its number.
  func migrate(
    _ migrations: [Migration], beforeEach keepCopy: (Int64) throws(StoreError) -> Void, willRun: (String) -> Void
  ) throws(StoreError) {
    let newest = migrations.last?.version ?? 0
    let found = try schemaVersion
    guard found <= newest else {
      throw StoreError(
        .newerSchema, "'\(path)' has schema \(found), and this Suzu knows up to \(newest): install the newer one again")
    }
    for migration in migrations where migration.version > found {
      let before = try schemaVersion
      // A new file contains nothing to keep.
      if found > 0 { try keepCopy(before) }
      try transaction { () throws(StoreError) in
        for statement in migration.statements {
          willRun(statement)
          try runOnce(statement)
        }
        try migration.completion?(self)
        willRun("PRAGMA user_version")
        try runOnce("PRAGMA user_version = \(migration.version)")
        willRun("COMMIT")
      }
      willRun("after COMMIT")
    }
  }
}

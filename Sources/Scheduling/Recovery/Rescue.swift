// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// Renames a damaged database and copies its rows into a new one; missing rows come from the newest copy.
///
/// Nothing is deleted, and a rescue can be interrupted: a note names the damaged file until the new one is in place,
/// and the next start begins again from the same damaged file.
struct Rescue {
  let files: StoreFiles
  let migrations: [Migration]

  private struct Tally {
    var counter = Counter()
    var expected: Int64?
    var found = 0
    var fromCopy = 0
    /// The apps of sandboxed programs.
    var boxed: Set<Identifier> = []

    /// Nil if the found counter is older than the last commit, so that the number is unknown.
    func missing(knowing commits: Int64) -> Int? {
      guard counter.commits >= commits else { return nil }
      return expected.map { max(0, Int($0) - found - fromCopy) }
    }

    /// Takes the counter, and notes the apps of sandboxed programs; the accounts are counted again.
    mutating func take(_ row: [SQLValue]) {
      if row[0].integer == Counter.number { return take(Counter(row: row)) }
      if Account(row: row).isBoxed, let app = row[1].text { boxed.insert(Identifier(app)) }
    }

    /// The newest counter is the one with the most commits.
    mutating func take(_ found: Counter) {
      if expected == nil || found.commits >= counter.commits { expected = found.total.pending }
      counter.revision = max(counter.revision, found.revision)
      counter.delivery = max(counter.delivery, found.delivery)
      counter.response = max(counter.response, found.response)
      counter.commits = max(counter.commits, found.commits)
    }
  }

  /// Whether a rescue was interrupted.
  var isUnfinished: Bool { StoreFiles.size(of: files.rescueNote) != nil }

  func run(because reason: String, commits: Int64, now: Timestamp) throws(StoreError) {
    let name = try setAside(now: now)
    let damaged = files.path(name)
    try files.makeEmptyRebuilt()
    let database = try Database(files.rebuilt)
    try database.migrate(migrations, beforeEach: { _ in }, willRun: { _ in })
    try database.transaction { () throws(StoreError) in
      var tally = Tally()
      try bringOver(RowReader(PageImages(database: damaged, log: damaged + "-wal")), into: database, &tally)
      tally.found = Int(try Self.pending(in: database))
      if tally.missing(knowing: commits) != 0 { try fill(database, &tally) }
      let report = Recovery(
        reason: reason, setAside: name, restored: tally.found + tally.fromCopy, fromCopy: tally.fromCopy,
        lost: tally.missing(knowing: commits))
      try finish(database, tally, report, commits: commits)
    }
    try database.close()
    try files.putRebuiltInPlace()
    try StoreFiles.remove(files.rescueNote)
    try files.sync()
  }

  /// Renames the files together, with a common name.
  private func setAside(now: Timestamp) throws(StoreError) -> String {
    var name = String(decoding: StoreFiles.read(files.rescueNote, count: 200) ?? [], as: UTF8.self)
    if !name.hasPrefix(files.damagedPrefix) || name.contains("/") {
      name = files.damagedPrefix + FileDate.text(now)
      let taken = Set(files.names(withPrefix: name))
      var number = 2
      while taken.contains(name) {
        name = files.damagedPrefix + FileDate.text(now) + ".\(number)"
        number += 1
      }
      let note = files.rescueNote + ".new"
      try StoreFiles.with(note, StoreFiles.makeAnew) { descriptor throws(StoreError) in
        try StoreFiles.write(Array(name.utf8), to: descriptor, note)
      }
      try StoreFiles.sync(file: note)
      try StoreFiles.rename(note, to: files.rescueNote)
      try files.sync()
    }
    // If the damaged file was renamed already, the file with the original name is the finished result of an
    // interrupted rescue: treat it like `rebuilt`, and make it again.
    if StoreFiles.size(of: files.path(name)) == nil {
      // Rename the database last, after the others are renamed for good: SQLite would write their contents into
      // the new file.
      for end in ["-journal", "-wal"] where StoreFiles.size(of: files.database + end) != nil {
        try StoreFiles.rename(files.database + end, to: files.path(name) + end)
      }
      try files.sync()
      if StoreFiles.size(of: files.database) != nil { try StoreFiles.rename(files.database, to: files.path(name)) }
    }
    try files.sync()
    return name
  }

  private static func pending(in database: Database) throws(StoreError) -> Int64 {
    try database.number("SELECT count(*) FROM request INDEXED BY request_due WHERE state = 0") ?? 0
  }

  /// Every readable row; of several images of a row, the last counts.
  private func bringOver(_ reader: RowReader, into database: Database, _ tally: inout Tally) throws(StoreError) {
    try reader.forEachRow { found throws(StoreError) in
      switch found.table {
      case .counter: tally.take(Counter(oldRow: found.values))
      case .tally: tally.take(found.values)
      case .request: try keep(found.values, in: database)
      default: try database.run(found.table.replace, found.table.checked(found.values))
      }
    }
  }

  /// Of two current requests with one id, the later has replaced the other: it stays.
  private func keep(_ row: [SQLValue], in database: Database) throws(StoreError) {
    var row = row
    if (row[4].integer ?? 0) < 2 {
      let others = try database.rows(
        Table.request.select + " WHERE app = ? AND id = ? AND state < 2 AND revision <> ?", [row[1], row[2], row[0]]
      ) { statement throws(StoreError) in try Table.request.read(statement) }
      for other in others {
        if (other[0].integer ?? 0) > (row[0].integer ?? 0) {
          row[4] = .integer(StoredRequest.State.replaced.rawValue)
        } else {
          var replaced = other
          replaced[4] = .integer(StoredRequest.State.replaced.rawValue)
          try database.run(Table.request.replace, Table.request.checked(replaced))
        }
      }
    }
    try database.run(Table.request.replace, Table.request.checked(row))
  }

  /// Adds missing rows from the newest copy that can be read.
  private func fill(_ database: Database, _ tally: inout Tally) throws(StoreError) {
    for copy in files.names(withPrefix: files.copyPrefix).reversed() {
      var rows = 0
      try RowReader(PageImages(database: files.path(copy), log: "")).forEachRow { found throws(StoreError) in
        rows += 1
        switch found.table {
        case .counter: tally.take(Counter(oldRow: found.values))
        case .tally: tally.take(found.values)
        case .request: try keepMissing(found.values, in: database)
        default:
          let insert = "INSERT OR IGNORE" + found.table.insert.dropFirst("INSERT".count)
          try database.run(insert, found.table.checked(found.values))
        }
      }
      tally.fromCopy = Int(try Self.pending(in: database)) - tally.found
      if rows > 0 { return }
    }
  }

  private func keepMissing(_ row: [SQLValue], in database: Database) throws(StoreError) {
    let isThere = try database.number("SELECT 1 FROM request WHERE revision = ?", [row[0]]) != nil
    let isNamed =
      try database.number("SELECT 1 FROM request WHERE app = ? AND id = ? AND state < 2", [row[1], row[2]]) != nil
    if isThere || (isNamed && (row[4].integer ?? 0) < 2) { return }
    try database.run(Table.request.insert, Table.request.checked(row))
  }

  /// Recomputes the accounts, and skips the numbers that lost rows may have had.
  private func finish(
    _ database: Database, _ tally: Tally, _ report: Recovery, commits: Int64
  ) throws(StoreError) {
    var counter = tally.counter
    counter.revision = try Self.gap(behind: counter.revision, .request, in: database)
    counter.delivery = try Self.gap(behind: counter.delivery, .delivery, in: database)
    counter.response = try Self.gap(behind: counter.response, .response, in: database)
    counter.commits = max(commits, counter.commits) + 1
    counter.total = try Account.recount(in: database, boxed: tally.boxed)
    try counter.write(to: database)
    let key = try database.number("SELECT max(number) FROM setting") ?? 0
    let values: [SQLValue] = [.integer(key + 1), .text("recovery.\(report.setAside)"), .text(report.text)]
    try database.run(Table.setting.replace, Table.setting.checked(values))
  }

  private static func gap<Row>(
    behind last: RowNumber<Row>, _ table: Table, in database: Database
  ) throws(StoreError) -> RowNumber<Row> {
    let found = try database.number("SELECT max(\(table.columns[0])) FROM \(table.name)") ?? 0
    return RowNumber(max(found, last.value) + 1_000_000)
  }
}

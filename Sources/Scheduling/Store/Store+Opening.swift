// SPDX-License-Identifier: Apache-2.0

/// Opening the database file of a store: creating, checking, migrating and repairing it.
extension Store {
  /// Opens the database once, and again after a rescue.
  func openDatabase() throws(StoreError) {
    let rescue = Rescue(files: files, migrations: options.migrations)
    if health == .readOnly { return try openReadOnly() }
    do throws(StoreError) {
      if rescue.isUnfinished { throw StoreError(.damaged, "a rescue was interrupted") }
      try openOnce()
    } catch  where error.code == .damaged {
      database = nil
      try rescue.run(because: error.message, commits: CommitCounterFile.commits(files.commitCounter) ?? 0, now: clock())
      try openOnce()
      whenMended()
    }
  }

  func openOnce() throws(StoreError) {
    mayHaveNewConditions = true
    whenOpened()
    let size = StoreFiles.size(of: files.database) ?? 0
    let known = CommitCounterFile.commits(files.commitCounter)
    if size == 0 {
      if known != nil { throw StoreError(.damaged, "the database is empty or missing, but had commits") }
      if (StoreFiles.size(of: files.log) ?? 0) > 0 {
        throw StoreError(.damaged, "the database of the -wal file is missing")
      }
      try makeFirst()
    } else {
      try FileHeader.check(files.database)
    }
    let database = try Database(files.database)
    do {
      try verifyAndMigrate(database, isNew: size == 0, known: known)
    } catch {
      // Keep the -wal as evidence.
      try? database.close()
      // If one of our statements fails to compile in our own file, the schema is damaged.
      if error.code == .misuse, size > 0 { throw StoreError(.damaged, error.message, sql: error.sql) }
      throw error
    }
    database.setCheckpointOnClose(true)
    database.whenLogIsLong = whenLogIsLong
    self.database = database
    commitCounter = try CommitCounterFile(files.commitCounter)
    // What an earlier run noted must not be overwritten before it is committed.
    if intentFile == nil { openIntentFile() }
    // The last commits may not be on the disk: they are counted with the next one that is.
    if known == nil {
      commitCounter?.note(counter.commits)
      commitCounter?.sync()
      try files.sync()
    }
    try? reserve.restore()
    health = reserve.isHeld ? .good : .full
  }

  /// Creates the database under another name until it is synced: if a power failure truncated its first page, it would
  /// be unknown whether that had been complete.
  private func makeFirst() throws(StoreError) {
    try files.makeEmptyRebuilt()
    try Database(files.rebuilt).close()
    try files.putRebuiltInPlace()
  }

  private func verifyAndMigrate(_ database: Database, isNew: Bool, known: Int64?) throws(StoreError) {
    database.setCheckpointOnClose(false)
    if try database.schemaVersion == 0 {
      let tables = try database.number("SELECT count(*) FROM sqlite_schema") ?? 0
      if known != nil || tables > 0 { throw StoreError(.damaged, "not a Suzu database (no schema)") }
    } else if try database.number("PRAGMA application_id") != Migration.applicationID {
      throw StoreError(.damaged, "not a Suzu database (application_id mismatch)")
    }
    let pages = try database.number("PRAGMA page_count") ?? 0
    let version = try database.schemaVersion
    if version > options.migrations.count + 1000 || version < 0 {
      throw StoreError(.damaged, "the database has an invalid schema version: \(version)")
    }
    try database.migrate(
      options.migrations,
      beforeEach: { version throws(StoreError) in try self.copy(database, to: "suzu.db.schema-\(version)") },
      willRun: options.willRun)
    counter = try Counter(in: database)
    accounts = [:]
    if let known, counter.commits < known {
      throw StoreError(.damaged, "the database has \(counter.commits) commits, but \(known) were acknowledged")
    }
    if version > 0, pages <= options.pagesCheckedAtOpening { try check(database) }
  }

  private func openReadOnly() throws(StoreError) {
    if (StoreFiles.size(of: files.log) ?? 0) > 0 {
      throw StoreError(
        .readOnly, "'\(files.folder)' is not writable, and its last changes are only in the -wal file")
    }
    if (StoreFiles.size(of: files.database) ?? 0) == 0 {
      throw StoreError(.readOnly, "'\(files.folder)' is not writable and contains no store")
    }
    try FileHeader.check(files.database)
    let database = try Database(files.database, .unchanging)
    counter = try Counter(in: database)
    self.database = database
  }
}

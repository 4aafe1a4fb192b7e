// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The center's memory: requests, what became of their dates, and what the user chose, on disk before it is acknowledged.
///
/// Every call returns when what it did would outlast a loss of power, or throws and has done nothing. It is used by one
/// actor, and one store at a time has its folder. Several waiting requests share one sync in ``withTransaction(_:)``.
public final class Store {
  /// What a store is opened with.
  public struct Options: Sendable {
    /// The steps to the newest schema.
    package var migrations: [Migration]
    /// Called before each statement of a migration, so that a test can end the process there.
    package var willRun: @Sendable (String) -> Void
    /// Up to how many pages a file is checked whole when it is opened: 1 MiB takes 2 ms.
    package var pagesCheckedAtOpening: Int64
    /// How much is kept for one app.
    package var quotas = Quotas()

    /// What the center uses.
    public init() {
      migrations = Migration.all
      willRun = { _ in }
      pagesCheckedAtOpening = 256
    }
  }

  /// What can be done at present.
  public enum Health: Hashable, Sendable {
    /// Everything.
    case good
    /// New requests are refused; what is stored goes on.
    case full
    /// Nothing can be written.
    case readOnly
    /// Writing failed three times in a row; ``Store/tryAgain()`` asks the disk anew.
    case degraded
  }

  let files: StoreFiles
  let options: Options
  private var reserve: ReservedSpace
  private var lock: StoreLock?
  private var commitCounter: CommitCounterFile?
  private var database: Database?
  var clock: () -> Int64
  private var failures = 0
  var change: Change?
  /// The last numbers given, as committed.
  var counter = Counter()
  /// Accounts of apps as committed, those that were of use of late.
  var accounts: [Identifier: Account.Kept] = [:]
  /// How much is kept for one app.
  let quotas: Quotas
  /// What can be done at present.
  public private(set) var health = Health.good
  /// What a person should know about the place of the store.
  public private(set) var warnings: [String] = []

  /// Called when the open store was found damaged and has been mended: ``recoveries()`` has grown. In the middle of the
  /// call that found it.
  public var whenMended: () -> Void = {}

  /// How many failures of the disk in a row make it unfit.
  static let mostFailures = 3

  /// Which process has the store in that folder open; nil: none.
  public static func holder(of folder: String) -> Int32? { StoreLock.holder(StoreFiles(folder: folder).lock) }

  /// Opens the store in `folder`, makes it where there is none, and mends it where it is damaged: see ``recoveries()``.
  ///
  /// - Parameter clock: milliseconds since 1970, for the names of copies and of what is set aside.
  public init(folder: String, options: Options = Options(), clock: @escaping () -> Int64) throws(StoreError) {
    self.options = options
    quotas = options.quotas
    self.clock = clock
    files = StoreFiles(folder: folder)
    reserve = ReservedSpace(path: files.reserve)
    try files.makeFolder()
    do {
      lock = try StoreLock(files.lock)
    } catch  where error.code == .readOnly {
      lock = nil
      health = .readOnly
    }
    if let kind = files.networkFileSystem {
      warnings.append("'\(folder)' is on \(kind): a store is safe only on a disk of this machine")
    }
    try open()
    guard health != .readOnly, hasBatch else { return }
    do { try finishBatch() } catch {
      warnings.append("requests that were accepted wait until the disk can be written to: \(error.message)")
    }
  }

  deinit { close() }

  /// Writes everything back and lets go of the folder; later calls throw.
  public func close() {
    try? database?.close()
    database = nil
    commitCounter = nil
    lock = nil
    isClosed = true
  }

  private var isClosed = false
  private var nextAttempt: Int64 = .min / 2
  private static let attemptPause: Int64 = 2000

  /// Opens the database once, and once more after a rescue.
  private func open() throws(StoreError) {
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

  private func openOnce() throws(StoreError) {
    let size = StoreFiles.size(of: files.database) ?? 0
    let known = CommitCounterFile.commits(files.commitCounter)
    if size == 0 {
      if known != nil { throw StoreError(.damaged, "the database was there, and is empty or gone") }
      if (StoreFiles.size(of: files.log) ?? 0) > 0 {
        throw StoreError(.damaged, "there is a -wal without its database")
      }
      try makeFirst()
    } else {
      try FileHeader.check(files.database)
    }
    let database = try Database(files.database)
    do {
      try verifyAndMigrate(database, isNew: size == 0, known: known)
    } catch {
      // The -wal stays as evidence.
      try? database.close()
      // A file of ours in which a statement of ours has no meaning has lost its schema.
      if error.code == .misuse, size > 0 { throw StoreError(.damaged, error.message, sql: error.sql) }
      throw error
    }
    database.setCheckpointOnClose(true)
    self.database = database
    commitCounter = try CommitCounterFile(files.commitCounter)
    commitCounter?.note(counter.commits)
    if known == nil {
      commitCounter?.sync()
      try files.sync()
    }
    try? reserve.restore()
    health = reserve.isHeld ? .good : .full
  }

  /// Makes the database under another name until it is synced: of a first page that a loss of power has cut nobody could
  /// say whether it had been there whole.
  private func makeFirst() throws(StoreError) {
    try files.makeEmptyRebuilt()
    try Database(files.rebuilt).close()
    try files.putRebuiltInPlace()
  }

  private func verifyAndMigrate(_ database: Database, isNew: Bool, known: Int64?) throws(StoreError) {
    database.setCheckpointOnClose(false)
    if try database.schemaVersion == 0 {
      let tables = try database.number("SELECT count(*) FROM sqlite_schema") ?? 0
      if known != nil || tables > 0 { throw StoreError(.damaged, "the database has no schema of ours") }
    } else if try database.number("PRAGMA application_id") != Migration.applicationID {
      throw StoreError(.damaged, "the database does not carry our mark")
    }
    let pages = try database.number("PRAGMA page_count") ?? 0
    let version = try database.schemaVersion
    if version > options.migrations.count + 1000 || version < 0 {
      throw StoreError(.damaged, "the database says to have schema \(version)")
    }
    try database.migrate(
      options.migrations,
      beforeEach: { version throws(StoreError) in try self.copy(database, to: "suzu.db.schema-\(version)") },
      willRun: options.willRun)
    counter = try Counter(in: database)
    accounts = [:]
    if let known, counter.commits < known {
      throw StoreError(.damaged, "the database has \(counter.commits) commits, and \(known) were acknowledged")
    }
    if version > 0, pages <= options.pagesCheckedAtOpening { try check(database) }
  }

  private func openReadOnly() throws(StoreError) {
    if (StoreFiles.size(of: files.log) ?? 0) > 0 {
      throw StoreError(
        .readOnly, "'\(files.folder)' cannot be written to, and its last changes are not in the database yet")
    }
    if (StoreFiles.size(of: files.database) ?? 0) == 0 {
      throw StoreError(.readOnly, "'\(files.folder)' cannot be written to, and holds no store")
    }
    try FileHeader.check(files.database)
    let database = try Database(files.database, .unchanging)
    counter = try Counter(in: database)
    self.database = database
  }

  func opened() throws(StoreError) -> Database {
    if let database { return database }
    if isClosed { throw StoreError(.closed, "the store is closed") }
    try open()  // one try for each call that needs it, after a failure of the disk
    guard let database else { throw StoreError(.closed, "the store is closed") }
    return database
  }

  /// Opens again after failures, checks the file, and ends ``Health/degraded`` and ``Health/readOnly``.
  public func tryAgain() throws(StoreError) {
    if health == .readOnly {
      // What is open stays so until there is something to be gained: from a disk that still cannot be written to, a log
      // could not be read again.
      guard files.isWritable else { throw StoreError(.readOnly, "'\(files.folder)' cannot be written to") }
      if lock == nil { lock = try StoreLock(files.lock) }
      health = .good
    }
    failures = 0
    try reopen()
  }

  /// Nobody tells when a disk can be written to again.
  private func tryAgainNowAndThen() {
    let now = clock()
    // A clock that was set back must not put it off.
    guard now >= nextAttempt || now < nextAttempt - Self.attemptPause else { return }
    nextAttempt = now + Self.attemptPause
    try? tryAgain()
  }

  private func reopen() throws(StoreError) {
    try? database?.close()
    database = nil
    commitCounter = nil
    try open()
    do throws(StoreError) {
      if let problem = try opened().problem("quick_check") { throw StoreError(.damaged, problem) }
    } catch  where error.code == .damaged {
      try rescue(error)
    }
    if failures >= Self.mostFailures { health = .degraded }
  }

  private func rescue(_ error: StoreError) throws(StoreError) {
    if lock == nil { throw error }
    database?.setCheckpointOnClose(false)
    try? database?.close()
    database = nil
    commitCounter = nil
    try Rescue(files: files, migrations: options.migrations)
      .run(because: error.message, commits: CommitCounterFile.commits(files.commitCounter) ?? 0, now: clock())
    try openOnce()
    whenMended()
  }

  /// Where it lies.
  public var folder: String { files.folder }

  // MARK: - Reading and writing

  /// Whether a write may use what is held back for a full disk.
  enum Importance {
    /// A new request: refused on a full disk.
    case new
    /// What became of a request: must be written.
    case needed
  }

  /// Reads; where the file turns out damaged, mends it and reads again.
  func read<T>(_ body: (Database) throws(StoreError) -> T) throws(StoreError) -> T {
    if change != nil { return try body(try opened()) }
    do {
      return try body(try opened())
    } catch  where error.code == .damaged {
      try rescue(error)
      return try body(try opened())
    }
  }

  /// Commits what `body` does; inside of ``withTransaction(_:)`` that does.
  func write<T>(_ importance: Importance, _ body: (Database) throws(StoreError) -> T) throws(StoreError) -> T {
    if change != nil { return try body(try opened()) }
    if health == .readOnly || health == .degraded { tryAgainNowAndThen() }
    switch health {
    case .readOnly: throw StoreError(.readOnly, "'\(files.folder)' cannot be written to")
    case .degraded: throw StoreError(.degraded, "writing failed \(Self.mostFailures) times in a row")
    case .good, .full: break
    }
    do {
      // What the reserve gave back is not for new requests.
      if importance == .new { try holdReserve() }
      let value = try attempt(importance, body)
      failures = 0
      health = reserve.isHeld ? .good : .full
      return value
    } catch {
      throw note(error)
    }
  }

  private func attempt<T>(
    _ importance: Importance, _ body: (Database) throws(StoreError) -> T
  ) throws(StoreError) -> T {
    do {
      return try commit(body)
    } catch  where error.code == .damaged {
      try rescue(error)
      return try commit(body)
    } catch  where error.code == .full {
      // The -wal holds space that it does not need once all of it is in the database.
      if (try? database?.checkpoint()) != nil, let value = try commitIfThereIsRoom(body) { return value }
      // Only what must be written gets what was held back.
      guard importance == .needed, reserve.free() else { throw error }
      database?.setCheckpointPages(Database.scarcePages)
      try? database?.checkpoint()
      return try commit(body)
    }
  }

  private func holdReserve() throws(StoreError) {
    if reserve.isHeld { return }
    if (try? reserve.restore()) == nil {
      try? database?.checkpoint()
      try reserve.restore()
    }
    database?.setCheckpointPages(Database.usualPages)
  }

  private func commitIfThereIsRoom<T>(_ body: (Database) throws(StoreError) -> T) throws(StoreError) -> T? {
    do throws(StoreError) {
      return try commit(body)
    } catch {
      if error.code == .full { return nil }
      throw error
    }
  }

  private func commit<T>(_ body: (Database) throws(StoreError) -> T) throws(StoreError) -> T {
    let database = try opened()
    var committed = counter
    var written: [Identifier: Account.Kept] = [:]
    defer { try? database.setLargeCache(false) }
    let value = try database.transaction { () throws(StoreError) in
      change = Change(counter)
      defer { change = nil }
      let value = try body(database)
      try trim(in: database)
      written = try writeAccounts(in: database)
      if let change {
        committed = change.counter
        committed.commits += 1
        committed.total = change.total
        try committed.write(to: database)
      }
      return value
    }
    counter = committed
    keep(written)
    commitCounter?.note(counter.commits)
    return value
  }

  /// Draws its conclusions; returns what the caller is told.
  private func note(_ error: StoreError) -> StoreError {
    switch error.code {
    case .full: health = .full
    case .readOnly: health = .readOnly
    case .inputOutput where !files.isWritable:
      // A failing disk has been made read-only, and says so to some calls only. Once closed, the store could not be
      // opened again, and nothing that is stored would be shown.
      health = .readOnly
      return StoreError(.readOnly, error.message, extendedCode: error.extendedCode, sql: error.sql)
    case .inputOutput:
      failures += 1
      // Linux may have dropped what it could not write, and says so once: what is in memory is not believed any more.
      // A failure of this shows again in the next call, which opens anew.
      try? reopen()
      if failures >= Self.mostFailures { health = .degraded }
    default: break
    }
    return error
  }

  /// Runs `body`'s calls as one commit: all of them or none. `body` may run a second time, from its beginning.
  public func withTransaction<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    try write(.new) { _ throws(StoreError) in try body() }
  }

  /// As ``withTransaction(_:)``, for what must be written on a full disk as well.
  public func withNeededTransaction<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    try write(.needed) { _ throws(StoreError) in try body() }
  }
}

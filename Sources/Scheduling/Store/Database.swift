// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
internal import SystemFiles

/// The only owner of a connection to an SQLite file, used by one actor at a time.
final class Database {
  private let handle: OpaquePointer
  /// Prepared once, and kept until the connection closes.
  private var statements: [Text: Statement] = [:]
  private var isOpen = true
  let path: String
  private let writing: WriteBack?

  /// The text of a statement. Its hash is its length, because hashing a long text takes longer than comparing it.
  private struct Text: Hashable {
    let sql: String

    func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
  }

  /// The mode of opening a file.
  enum Access {
    /// As the only owner and writer.
    case owner
    /// For reading a file that does not change, without locks: a copy, a damaged file, a read-only file system.
    case unchanging
    /// Only in memory, without any file.
    case memory
  }

  /// Opens an existing file. SQLite gives its mode to the files beside it.
  init(_ path: String, _ access: Access = .owner) throws(StoreError) {
    Self.countNoMemory
    // Opened before SQLite's descriptor of the file, and closed after it.
    let writing = access == .owner ? WriteBack(path) : nil
    var handle: OpaquePointer?
    let result: Int32
    switch access {
    case .owner:
      let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
      result = sqlite3_open_v2(path, &handle, flags, BufferedLog.name)
    case .unchanging:
      let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE
      result = sqlite3_open_v2(
        "file:" + PercentCoding.encoded(path, keeping: "/") + "?immutable=1", &handle, flags, nil)
    case .memory:
      result = sqlite3_open_v2(
        ":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    }
    guard result == SQLITE_OK, let handle else {
      let error = StoreError(sqlite: result, on: handle)
      sqlite3_close_v2(handle)
      throw error
    }
    self.handle = handle
    self.path = path
    self.writing = writing
    sqlite3_busy_timeout(handle, 5000)  // a person with the sqlite3 shell; two centers are told apart by the lock file
    if access == .owner { try becomeOwner() }
  }

  /// SQLite's memory is not asked for, and counting it takes a lock for each allocation. It must be turned off before
  /// the first use.
  private static let countNoMemory: Void = {
    // Too late if the program has used SQLite before; then it counts.
    _ = sqlite_count_memory(0)
  }()

  deinit { try? close() }

  private func becomeOwner() throws(StoreError) {
    // Before the first access: WAL without shared memory, which only one connection can use, and which avoids the
    // WAL-reset bug that needs two.
    try expect("PRAGMA locking_mode = EXCLUSIVE", "exclusive")
    // The result row reports success; an I/O error comes only with the row.
    try expect("PRAGMA journal_mode = WAL", "wal")
    try run("PRAGMA synchronous = FULL")
    // No foreign keys: the store deletes dependent rows itself, in slices.
    try run("PRAGMA foreign_keys = OFF")
    // Freed bytes become zeros: deleted requests are private, and rescue must not find them in free pages.
    try expect("PRAGMA secure_delete = ON", nil)
    try run("PRAGMA cell_size_check = ON")
    try run("PRAGMA trusted_schema = OFF")
    try run("PRAGMA temp_store = MEMORY")  // what is sorted is private; all of it is bounded by a limit
    try runOnce("PRAGMA cache_size = \(Self.usualCache)")
    // At most the reserved space: on a full disk, the contents of the -wal must fit into the space that is given back.
    countLogPages()
    try expect("PRAGMA mmap_size = 0", nil)
    try expect("PRAGMA journal_size_limit = 4194304", nil)  // one big transaction does not stay on disk twice
  }

  private func expect(_ sql: String, _ expected: String?) throws(StoreError) {
    let row = try first(sql)
    if let expected, row?.first?.text != expected {
      throw StoreError(.inputOutput, "'\(sql)' returned '\(row?.first?.text ?? "nothing")'", sql: sql)
    }
  }

  /// Closes, and throws if changes could not be written back; later uses fail.
  func close() throws(StoreError) {
    guard isOpen else { return }
    defer { writing?.close() }
    // The next opening moves the -wal again.
    if writing?.finishFile() == false { setCheckpointOnClose(false) }
    isOpen = false
    statements = [:]
    let result = sqlite3_close_v2(handle)
    if result != SQLITE_OK { throw StoreError(sqlite: result, on: nil) }
  }

  /// Lends a statement, and resets it in any case.
  func with<T>(
    _ sql: String, _ values: [SQLValue] = [], _ body: (Statement) throws(StoreError) -> T
  ) throws(StoreError) -> T {
    guard isOpen else { throw StoreError(.closed, "the database is closed") }
    let statement = try prepared(sql)
    statement.isLent = true
    defer {
      statement.reset()
      statement.isLent = false
    }
    try statement.bind(values)
    return try body(statement)
  }

  /// A nested use gets a statement of its own.
  private func prepared(_ sql: String) throws(StoreError) -> Statement {
    let kept = statements[Text(sql: sql)]
    if let kept, !kept.isLent { return kept }
    let statement = try Statement(sql, on: handle)
    if kept == nil { statements[Text(sql: sql)] = statement }
    return statement
  }

  /// Runs a statement to its end and returns how many rows it changed.
  @discardableResult
  func run(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> Int {
    try with(sql, values) { statement throws(StoreError) in
      while try statement.step() {}
      return changes
    }
  }

  /// When SQLite syncs, as it names that.
  private enum Syncing: String { case off = "OFF", checkpoints = "NORMAL", commits = "FULL" }

  private var syncing = Syncing.commits

  /// SQLite prepares this pragma again for each run, so it is run only for a change: nearly all commits after an event
  /// are unsynced.
  private func set(_ new: Syncing) throws(StoreError) {
    if new == syncing { return }
    try run("PRAGMA synchronous = \(new.rawValue)")
    syncing = new
  }

  /// Runs a statement without keeping it.
  func runOnce(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) {
    guard isOpen else { throw StoreError(.closed, "the database is closed") }
    let statement = try Statement(sql, on: handle)
    try statement.bind(values)
    while try statement.step() {}
  }

  /// The first row.
  func first(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> [SQLValue]? {
    try with(sql, values) { statement throws(StoreError) in try statement.step() ? statement.row() : nil }
  }

  /// The first column of the first row, if that is a number.
  func number(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> Int64? {
    try with(sql, values) { statement throws(StoreError) in try statement.step() ? statement.column(0).integer : nil }
  }

  /// Every row, made into a value.
  func rows<T>(
    _ sql: String, _ values: [SQLValue] = [], _ make: (Statement) throws(StoreError) -> T
  ) throws(StoreError) -> [T] {
    try with(sql, values) { statement throws(StoreError) in
      var rows: [T] = []
      while try statement.step() { rows.append(try make(statement)) }
      return rows
    }
  }

  /// The number of rows that the last statement changed.
  var changes: Int { Int(sqlite3_changes64(handle)) }

  /// Whether a transaction is open.
  var isInTransaction: Bool { isOpen && sqlite3_get_autocommit(handle) == 0 }

  /// Commits all changes of `body`, or none.
  ///
  /// - Parameter isSynced: whether it returns only when they are on disk.
  func transaction<T>(isSynced: Bool = true, _ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    try syncMove()
    try set(isSynced ? .commits : .checkpoints)
    try run("BEGIN IMMEDIATE")
    let pagesBefore = logPages
    var isCommitting = false
    do {
      let value = try body()
      isCommitting = true
      try run("COMMIT")
      lastCommit = logPages > pagesBefore ? logPages - pagesBefore : logPages
      moveLogIfLong(after: lastCommit)
      return value
    } catch {
      // SQLite has already rolled back after some failures. If this fails, the file still has the last commit.
      if isInTransaction { _ = try? run("ROLLBACK") }
      if isCommitting { overwriteFailedCommit() }
      throw error
    }
  }

  /// A commit that could not be synced is refused, but is complete in the -wal, and the next opening would find it. The
  /// page of a commit that changes nothing takes its place, unless the disk fails for that one as well.
  private func overwriteFailedCommit() {
    guard let version = try? schemaVersion, (try? set(.checkpoints)) != nil else { return }
    try? runOnce("PRAGMA user_version = \(version)")
  }

  /// Moves all commits from the -wal into the file and truncates the -wal.
  func checkpoint() throws(StoreError) {
    try syncMove()
    let result = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    if result != SQLITE_OK { throw StoreError(sqlite: result, on: handle) }
  }

  /// In KiB, negative as SQLite expects. Enough for the inner pages of the indexes and the changes of a few requests.
  /// More would copy the kernel's cache into the memory of this process, which keeps it while idle.
  private static let usualCache = -256
  private static let largeCache = -16384
  private var hasLargeCache = false

  /// Enough for a transaction that changes all parts of the indexes; otherwise its pages go to the -wal and back many
  /// times. Turning it off frees all of it, because remaining pages would fragment the heap.
  func setLargeCache(_ isOn: Bool) throws(StoreError) {
    guard isOn != hasLargeCache else { return }
    // SQLite runs this pragma when it prepares the statement, so a cached statement would have no effect.
    try runOnce("PRAGMA cache_size = \(isOn ? Self.largeCache : Self.usualCache)")
    hasLargeCache = isOn
    if !isOn { sqlite3_db_release_memory(handle) }
  }

  static let usualPages: Int32 = 256
  /// For a full disk, where the -wal must leave the file room to grow in the space that was given back.
  static let scarcePages: Int32 = 64

  /// The number of pages after which the -wal is moved into the file.
  private var checkpointPages = Database.usualPages
  /// The pages in the -wal after the last commit.
  private var logPages: Int32 = 0
  /// The pages of the last commit.
  private var lastCommit: Int32 = 0

  /// Called after a commit when the -wal is long: ``moveLogIfLong()`` must follow. Without it, and on a full disk, the
  /// commit itself moves the -wal.
  var whenLogIsLong: ((Move) -> Void)?

  /// When a long -wal is moved into the file.
  enum Move { case nextTurn, soon }

  func setCheckpointPages(_ pages: Int32) { checkpointPages = pages }

  /// Large commits one after another change the same pages: moving them after each would write most pages each time.
  private static let mostPages: Int32 = 4096
  private static let commitsPerMove: Int32 = 4

  /// - Parameter pages: the pages of the last commit.
  private func moveLogIfLong(after pages: Int32) {
    guard checkpointPages == Self.usualPages, let whenLogIsLong else { return moveLogIfLong() }
    if logPages < checkpointPages { return }
    whenLogIsLong(logPages < min(pages * Self.commitsPerMove, Self.mostPages) ? .soon : .nextTurn)
  }

  /// Counts the pages of the -wal. SQLite would move it into the file inside of a commit, whose callers would wait for
  /// it.
  private func countLogPages() {
    sqlite3_wal_hook(
      handle,
      { me, _, _, pages in
        // The pointer is that of this object, which closes the connection before it is released.
        if let me { Unmanaged<Database>.fromOpaque(me).takeUnretainedValue().logPages = pages }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Moves a long -wal into the file. The next commit begins the -wal again; a failure leaves it as it is.
  ///
  /// SQLite would sync the file at once, and the center would wait for all of it. Here the kernel begins to write it,
  /// and the next commit syncs it, because that commit overwrites the -wal. Until then a loss of power loses nothing.
  func moveLogIfLong() {
    guard isOpen, logPages >= checkpointPages, (try? syncMove()) != nil else { return }
    // Without a descriptor to sync the file with, SQLite does that at once.
    let writing = writing?.canSync == true ? writing : nil
    if let writing {
      guard writing.syncLog(), (try? set(.off)) != nil else { return }
    }
    logPages = 0
    _ = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    guard let writing else { return }
    try? set(.commits)
    writing.startFile()
  }

  /// Syncs what ``moveLogIfLong()`` wrote.
  private func syncMove() throws(StoreError) {
    if writing?.finishFile() == false { throw StoreError(.inputOutput, "'\(path)' could not be synced") }
  }

  /// Waits until the -wal is on the disk; returns whether it is.
  func syncLog() -> Bool { writing?.syncLog() == true }

  /// Makes the kernel write a large unsynced commit to the disk while the center goes on.
  func startLog() {
    if lastCommit >= Self.usualPages { writing?.startLog() }
  }

  /// Begins a copy, which must end before the connection does.
  func beginCopy(_ files: StoreFiles, name: String) throws(StoreError) -> StoreCopy {
    try StoreCopy(files, name: name, of: handle)
  }

  /// Whether closing empties the -wal into the file. It is off while the -wal may be needed as evidence.
  func setCheckpointOnClose(_ isOn: Bool) { _ = sqlite_checkpoint_on_close(handle, isOn ? 1 : 0) }

  /// The first structural error that SQLite finds; nil if there is none. Reads the whole file.
  func problem(_ check: String = "integrity_check") throws(StoreError) -> String? {
    let answer = try first("PRAGMA \(check)(1)")?.first?.text
    return answer == "ok" ? nil : answer ?? "no answer"
  }
}

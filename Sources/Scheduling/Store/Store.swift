// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The persistent state of the center: requests, deliveries and responses, on disk before they are acknowledged.
///
/// A call returns when its changes would survive a power failure, or throws and has changed nothing. One actor uses the
/// store, and one store at a time uses its folder. Several requests share one sync in ``withTransaction(_:)``.
public final class Store {
  /// The options for opening a store.
  public struct Options: Sendable {
    /// The steps to the newest schema.
    package var migrations: [Migration]
    /// Called before each statement of a migration, so that a test can end the process there.
    package var willRun: @Sendable (String) -> Void
    /// The maximum number of pages for a full check of the file at opening: 1 MiB takes 2 ms.
    package var pagesCheckedAtOpening: Int64
    /// The quotas of one app.
    package var quotas = Quotas()

    /// The options of the center.
    public init() {
      migrations = Migration.all
      willRun = { _ in }
      pagesCheckedAtOpening = 256
    }
  }

  /// The operations that are possible at present.
  public enum Health: Hashable, Sendable {
    /// All operations.
    case good
    /// New requests are refused; stored ones continue.
    case full
    /// Writing is impossible.
    case readOnly
    /// Writing failed three times in a row; ``Store/tryAgain()`` tries again.
    case degraded
  }

  let files: StoreFiles
  let options: Options
  var reserve: ReservedSpace
  var lock: StoreLock?
  var commitCounter: CommitCounterFile?
  /// Nil if notes cannot be written.
  var intentFile: IntentFile?
  /// The last number given to a noted delivery: it may be on the screen, also if its commit has failed.
  var lastNoted = DeliveryRecord.Number.none
  /// The last number given to a response before it was stored.
  var lastReserved = ResponseRecord.Number.none
  /// Whether commits are synced; false during ``withUnsyncedTransaction(isNew:_:)``.
  var isSyncing = true
  var database: Database?
  var clock: () -> Timestamp
  private var failures = 0
  var change: Change?
  /// The last numbers assigned, as committed.
  var counter = Counter()
  /// The accounts of recently used apps, as committed.
  var accounts: [Identifier: Account.Kept] = [:]
  /// The quotas of one app.
  let quotas: Quotas
  /// The operations that are possible at present.
  public internal(set) var health = Health.good
  /// Warnings for the user about the location of the store.
  public private(set) var warnings: [String] = []

  /// Called when the open store was found damaged and has been repaired: ``recoveries()`` has new entries. It is called
  /// inside the call that found the damage.
  public var whenMended: () -> Void = {}

  /// Whether the larger page cache of a long transaction stays in memory for the next one. With the usual cache, each
  /// part of a batch would read the pages of the indexes again.
  public var keepsLargeCache = false {
    didSet { if !keepsLargeCache { try? database?.setLargeCache(false) } }
  }

  /// Called when the -wal is long: ``moveLog()`` must follow in a later turn. Without it, the commit moves the -wal.
  var whenLogIsLong: ((Database.Move) -> Void)? { didSet { database?.whenLogIsLong = whenLogIsLong } }

  /// Called after a commit with the revisions of requests that waited for a condition and were replaced or cancelled.
  var whenDisarmed: ([StoredRequest.Revision]) -> Void = { _ in }

  /// Called when the database was opened again: it may have lost the last commits.
  var whenOpened: () -> Void = {}

  /// Called after a commit with the deliveries that are shown again, or not any more.
  var whenNagging: ([NagChange]) -> Void = { _ in }

  /// Whether there may be deliveries that are shown again. Mostly there are none, and none is looked for.
  lazy var mayHaveNags: Bool = (try? nagging().isEmpty) != true

  /// Whether a message may wait to be sent. If none does, which is usual, the table is not read.
  lazy var mayHaveOutgoing: Bool = (try? findsOutgoing()) != false

  /// Whether requests that wait for a condition may have been stored since ``waitingForCondition(behind:limit:)`` found
  /// no more. Nearly no commit stores one, and to look after each commit would take a tenth of it.
  var mayHaveNewConditions = true

  /// The number of consecutive disk failures after which the store is degraded.
  static let mostFailures = 3

  /// The process that has the store in that folder open; nil if there is none.
  public static func holder(of folder: String) -> Int32? { StoreLock.holder(StoreFiles(folder: folder).lock) }

  /// Opens the store in `folder`, creates it if it is missing, and repairs it if it is damaged: see ``recoveries()``.
  ///
  /// - Parameters:
  ///   - session: a folder of this user alone that lasts as long as the session, for what a killed center leaves.
  ///   - clock: the wall clock, for the names of copies and damaged files.
  public init(
    folder: String, session: String? = nil, options: Options = Options(), clock: @escaping () -> Timestamp
  ) throws(StoreError) {
    self.options = options
    quotas = options.quotas
    self.clock = clock
    files = StoreFiles(folder: folder, session: session)
    reserve = ReservedSpace(path: files.reserve)
    try files.makeFolder()
    do {
      lock = try StoreLock(files.lock)
    } catch  where error.code == .readOnly {
      lock = nil
      health = .readOnly
    }
    if let kind = files.networkFileSystem {
      warnings.append("'\(folder)' is on \(kind), which can lose data; put the store on a local disk")
    }
    try openDatabase()
    guard health != .readOnly else { return }
    do { try commitNote() } catch {
      warnings.append("a notification that was due waits until the next start: \(error.message)")
    }
    guard hasBatch else { return }
    do { try finishBatch() } catch {
      warnings.append("accepted requests wait until the disk is writable: \(error.message)")
    }
  }

  /// Opens an empty store that is only in memory, for tests of what is scheduled.
  package init(inMemory clock: @escaping () -> Timestamp) throws(StoreError) {
    options = Options()
    quotas = options.quotas
    self.clock = clock
    files = StoreFiles(folder: "")
    reserve = .needless
    lock = nil
    let database = try Database("", .memory)
    try database.migrate(options.migrations, beforeEach: { _ in }, willRun: { _ in })
    counter = try Counter(in: database)
    self.database = database
  }

  deinit { close() }

  /// Writes everything back and releases the folder; later calls throw.
  public func close() {
    try? database?.close()
    database = nil
    commitCounter = nil
    intentFile = nil
    lock = nil
    isClosed = true
  }

  private var isClosed = false
  private var owed: [String: String] = [:]
  private var nextAttempt = Timestamp(milliseconds: .min / 2)
  private static let attemptPause: Int64 = 2000

  func opened() throws(StoreError) -> Database {
    if let database { return database }
    if isClosed { throw StoreError(.closed, "the store is closed") }
    try openDatabase()  // one attempt for each call that needs it, after a disk failure
    guard let database else { throw StoreError(.closed, "the store is closed") }
    return database
  }

  /// Reopens after failures, checks the file, and ends ``Health/degraded`` and ``Health/readOnly``.
  public func tryAgain() throws(StoreError) {
    if health == .readOnly {
      // Keep the open connection until the disk is writable: from a disk that is not, the -wal could not be read
      // again.
      guard files.isWritable else { throw StoreError(.readOnly, "'\(files.folder)' is not writable") }
      if lock == nil { lock = try StoreLock(files.lock) }
      health = .good
    }
    failures = 0
    try reopen()
  }

  /// There is no event for a disk that becomes writable again, so try from time to time.
  private func tryAgainNowAndThen() {
    let now = clock()
    // A clock that was set back must not delay this.
    guard now >= nextAttempt || now < nextAttempt - Self.attemptPause else { return }
    nextAttempt = now + Self.attemptPause
    try? tryAgain()
  }

  private func reopen() throws(StoreError) {
    try? database?.close()
    database = nil
    commitCounter = nil
    try openDatabase()
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
    mayHaveNags = true
    mayHaveOutgoing = true
    whenMended()
  }

  /// The path of the folder.
  public var folder: String { files.folder }

  // MARK: - Reading and writing

  /// Whether a write may use the space that is reserved for a full disk.
  enum Importance {
    /// A new request; refused on a full disk.
    case new
    /// The progress of a request; must be written.
    case needed
  }

  /// Reads; if the file is damaged, repairs it and reads again.
  func read<T>(_ body: (Database) throws(StoreError) -> T) throws(StoreError) -> T {
    if change != nil { return try body(try opened()) }
    do {
      return try body(try opened())
    } catch  where error.code == .damaged {
      try rescue(error)
      return try body(try opened())
    }
  }

  /// Commits the changes of `body`; inside ``withTransaction(_:)``, that commits them.
  func write<T>(_ importance: Importance, _ body: (Database) throws(StoreError) -> T) throws(StoreError) -> T {
    if change != nil { return try body(try opened()) }
    if health == .readOnly || health == .degraded { tryAgainNowAndThen() }
    switch health {
    case .readOnly: throw StoreError(.readOnly, "'\(files.folder)' is not writable")
    case .degraded: throw StoreError(.degraded, "writing failed \(Self.mostFailures) times in a row")
    case .good, .full: break
    }
    do {
      // The space that the reserve gave back is not for new requests.
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
      // The -wal occupies unneeded space once all of it is in the database.
      if (try? database?.checkpoint()) != nil, let value = try commitIfThereIsRoom(body) { return value }
      // Only needed writes may use the reserved space.
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
    var disarmed: [StoredRequest.Revision] = []
    var isAnyArmed = false
    var nags: [NagChange] = []
    defer { if !keepsLargeCache { try? database.setLargeCache(false) } }
    let value = try database.transaction(isSynced: isSyncing) { () throws(StoreError) in
      change = Change(counter)
      defer { change = nil }
      for (name, text) in owed { try set(name, to: text) }
      let value = try body(database)
      try trim(in: database)
      written = try writeAccounts(in: database)
      if let change {
        committed = change.counter
        committed.commits += 1
        committed.total = change.total
        disarmed = change.disarmed
        isAnyArmed = change.isAnyArmed
        nags = change.nags
        try committed.write(to: database)
      }
      return value
    }
    counter = committed
    owed = [:]
    if isAnyArmed { mayHaveNewConditions = true }
    keep(written)
    if isSyncing { noteCommits() }
    if !disarmed.isEmpty { whenDisarmed(disarmed) }
    if !nags.isEmpty { whenNagging(nags) }
    return value
  }

  /// Sets a setting with the next commit, because the disk did not take it: requests that are stored then were planned
  /// with it.
  func owe(_ text: String, for name: String) { owed[name] = text }

  /// Stores the number of commits a second time, once they are on disk.
  func noteCommits() { commitCounter?.note(counter.commits) }

  /// Moves a long -wal into the database file.
  func moveLog() { database?.moveLogIfLong() }

  /// Adapts the health of the store to an error; returns the error for the caller.
  private func note(_ error: StoreError) -> StoreError {
    switch error.code {
    case .full: health = .full
    case .readOnly: health = .readOnly
    case .inputOutput where !files.isWritable:
      // The kernel makes a failing disk read-only, and reports it to some calls only. Once closed, the store could not
      // be reopened, and stored requests would not be shown.
      health = .readOnly
      return StoreError(.readOnly, error.message, extendedCode: error.extendedCode, sql: error.sql)
    case .inputOutput:
      failures += 1
      // Linux may drop pages that it could not write, and reports that once: the contents of memory are not reliable
      // now. If this fails, the next call fails as well and reopens.
      try? reopen()
      if failures >= Self.mostFailures { health = .degraded }
    default: break
    }
    return error
  }
}

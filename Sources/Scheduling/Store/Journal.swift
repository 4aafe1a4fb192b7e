// SPDX-License-Identifier: Apache-2.0

/// Combines the writes of one turn of the loop into one commit, because a sync of the disk costs more than all the
/// rest.
///
/// Writes and completion handlers run in the order of the calls.
public final class Journal {
  /// When a write is on disk.
  public enum Sync: Sendable {
    /// With its commit.
    case atOnce
    /// Within ``syncPause``, if nothing syncs it earlier.
    case soon
    /// With any later commit that is synced.
    case withLater
  }

  private struct Entry {
    let isNew: Bool
    var sync = Sync.atOnce
    /// Whether no one waits for it: it is written later if the disk fails.
    var isNote = false
    /// Whether it is never written before the notes that the disk has failed to write.
    var isInOrder = false
    let body: (Store) throws(StoreError) -> Void
    let done: (StoreError?) -> Void
  }

  let store: Store
  let time: any TimeSource
  private var entries: [Entry] = []
  /// Notes that the disk has failed to write: they come before all that is written next.
  private var late: [Entry] = []
  /// Whether no write waits for the end of the turn.
  var isEmpty: Bool { entries.isEmpty }
  var busTurn = BusTurn()
  private var mustSync = false

  /// Creates a journal of a store; `time` reports the end of a turn.
  public init(store: Store, time: any TimeSource) {
    self.store = store
    self.time = time
    store.whenLogIsLong = { [weak self] move in
      switch move {
      case .nextTurn: self?.moveLogNextTurn()
      case .soon: self?.moveLogSoon()
      }
    }
  }

  private var isMovingLog = false
  private var isMovingLogSoon = false
  /// After this time without a reason to move it earlier, a -wal that large commits made long is moved: on a full disk,
  /// a long one could not be. In milliseconds.
  static let movePause: Int64 = 1000

  /// Moving the -wal takes as long as several commits: those who wait for this commit are answered first.
  private func moveLogNextTurn() {
    if isMovingLog { return }
    isMovingLog = true
    time.callNext { [weak self] in
      self?.isMovingLog = false
      self?.store.moveLog()
    }
  }

  private func moveLogSoon() {
    if isMovingLogSoon { return }
    isMovingLogSoon = true
    time.call(after: Self.movePause) { [weak self] in
      self?.isMovingLogSoon = false
      self?.store.moveLog()
    }
  }

  /// Writes with the next commit, and calls `done` when that is on disk or has failed.
  ///
  /// - Parameters:
  ///   - isNew: whether it stores a new request. A full disk refuses those; other writes still succeed.
  ///   - sync: when it is on disk. Until then it survives the end of this process, but not that of the machine; `done`
  ///     is called before.
  ///   - isInOrder: whether it waits for the notes that the disk has failed to write. Other writes go before those notes
  ///     if a full disk has no room for both.
  ///   - body: may run twice; only its last run counts.
  public func write<T>(
    isNew: Bool = false, sync: Sync = .atOnce, isInOrder: Bool = false,
    _ body: @escaping (Store) throws(StoreError) -> T,
    then done: @escaping (Result<T, StoreError>) -> Void
  ) {
    var value: T?
    add(
      Entry(isNew: isNew, sync: sync, isInOrder: isInOrder) { store throws(StoreError) in
        value = try body(store)
      } done: { error in
        if let value, error == nil { done(.success(value)) } else { done(.failure(error ?? .neverRun)) }
      })
  }

  private func add(_ entry: Entry) {
    flushThisTurn()
    entries.append(entry)
  }

  /// How long an unsynced commit waits for a sync, in milliseconds.
  static let syncPause: Int64 = 100
  private var isSyncPlanned = false
  private var isUnsynced = false

  private func syncLater() {
    isUnsynced = true
    if isSyncPlanned { return }
    isSyncPlanned = true
    time.call(after: Self.syncPause) { [weak self] in
      guard let self else { return }
      isSyncPlanned = false
      if isUnsynced { store.syncLog() }
      isUnsynced = false
    }
  }

  private func flushThisTurn() {
    if entries.isEmpty && !mustSync { time.callNext { [weak self] in self?.flush() } }
  }

  /// Writes what no one waits for. If the disk fails, it is written later, before all other writes. Failures are passed
  /// to `report`.
  ///
  /// - Parameter done: called once it is written.
  public func note(
    sync: Sync = .atOnce, _ body: @escaping (Store) throws(StoreError) -> Void, then done: @escaping () -> Void = {}
  ) {
    add(
      Entry(isNew: false, sync: sync, isNote: true, isInOrder: true, body: body) { [weak self] error in
        if let error { self?.report(error) } else { done() }
      })
  }

  /// Assigns the number of a response that the disk did not take, so that it can be told before it is stored.
  public func reserveResponse() -> ResponseRecord.Number { store.reserveResponse() }

  /// Writes now, together with all earlier writes of the turn, whose completion handlers run first: one commit, and at
  /// most one sync.
  ///
  /// - Parameter sync: when this is on disk. Earlier writes may need a sync at once all the same.
  public func writeNow<T>(
    sync: Sync, _ body: @escaping (Store) throws(StoreError) -> T
  ) -> Result<T, StoreError> {
    var value: T?
    var result: Result<T, StoreError> = .failure(.neverRun)
    let entry = Entry(isNew: false, sync: sync) { store throws(StoreError) in
      value = try body(store)
    } done: { error in
      if let error { result = .failure(error) } else if let value { result = .success(value) }
    }
    entries.append(entry)
    flush()
    return result
  }

  /// Calls `done` once all earlier writes have been committed or have failed: immediately if there are none. Reads that
  /// must see these writes wait here, so that they share the commit of the turn.
  public func afterWrites(_ done: @escaping () -> Void) {
    if entries.isEmpty {
      done()
    } else {
      entries.append(
        Entry(isNew: false, sync: .withLater) { _ in
        } done: { _ in
          done()
        })
    }
  }

  private var awaiting: [(Bool) -> Void] = []

  /// Syncs unsynced commits in the next turn, and reports whether they are on disk: what this turn has sent is on its
  /// way before.
  public func syncNextTurn(_ done: @escaping (Bool) -> Void) {
    awaiting.append(done)
    if awaiting.count > 1 { return }
    time.callNext { [weak self] in
      guard let self else { return }
      let all = awaiting
      awaiting = []
      let isSynced = store.syncLog()
      for done in all { done(isSynced) }
    }
  }

  /// Syncs unsynced commits at the end of the turn, with other writes or alone.
  public func syncThisTurn() {
    flushThisTurn()
    mustSync = true
  }

  /// Receives the failures of writes without a completion handler.
  public var report: (StoreError) -> Void = { _ in }

  /// Writes everything now that waits for the end of the turn.
  public func flush() {
    let batch = entries
    entries = []
    guard !batch.isEmpty || !late.isEmpty else { return sync() }
    do throws(StoreError) {
      let refusals = try commitWithLate(batch)
      if batch.contains(where: { $0.sync == .atOnce }) {
        (mustSync, isUnsynced) = (false, false)
      } else if batch.contains(where: { $0.sync == .soon }) {
        syncLater()
      }
      for (entry, refusal) in zip(batch, refusals) { entry.done(refusal) }
    } catch {
      // One write may make all of them fail, and a needed write may have space where a new request has none: try each
      // alone.
      if batch.count == 1, late.isEmpty { failed(batch[0], error) } else { for entry in batch { alone(entry) } }
      writeLater()
    }
    sync()
  }

  private func sync() {
    if mustSync {
      store.syncLog()
      isUnsynced = false
    }
    mustSync = false
  }

  private func alone(_ entry: Entry) {
    do throws(StoreError) {
      entry.done(try commitWithLate([entry])[0])
    } catch  where error.code == .full && !late.isEmpty && !entry.isInOrder {
      // There may be room for this one.
      do throws(StoreError) { entry.done(try commit([entry])[0]) } catch { failed(entry, error) }
    } catch {
      failed(entry, error)
    }
  }

  // MARK: A disk that fails

  /// More than a busy desktop shows in a day.
  private static let mostLate = 10_000
  private static let latePauses: ClosedRange<Int64> = 1_000...60_000
  private var latePause = Journal.latePauses.lowerBound
  private var isWritingLater = false

  private func failed(_ entry: Entry, _ error: StoreError) {
    if entry.isNote, error.isOfDisk, late.count < Self.mostLate { late.append(entry) }
    entry.done(error)
  }

  /// Commits entries behind those that are late.
  private func commitWithLate(_ batch: [Entry]) throws(StoreError) -> [StoreError?] {
    if late.isEmpty { return try commit(batch) }
    var refusals: [StoreError?]
    do throws(StoreError) { refusals = try commit(late + batch) } catch {
      if error.isOfDisk { throw error }
      // One that cannot be written, whatever the disk does, must not hold up the others.
      refusals = try commit(late + batch, withoutRefusedNotes: true)
    }
    let written = late
    late = []
    latePause = Self.latePauses.lowerBound
    for (entry, refusal) in zip(written, refusals) { entry.done(refusal) }
    return Array(refusals.suffix(batch.count))
  }

  private func writeLater() {
    if late.isEmpty || isWritingLater { return }
    isWritingLater = true
    time.call(after: latePause) { [weak self] in
      self?.isWritingLater = false
      self?.flush()
    }
    latePause = min(latePause * 2, Self.latePauses.upperBound)
  }

  /// Commits the entries together; returns why an entry was left out, nil for one that was not. A quota leaves one out: a
  /// caller at its quota must not cost the others their common sync.
  private func commit(
    _ batch: [Entry], withoutRefusedNotes: Bool = false
  ) throws(StoreError) -> [StoreError?] {
    let run = { () throws(StoreError) in
      var refusals: [StoreError?] = []
      for entry in batch {
        if entry.isNew && batch.count > 1 {
          refusals.append(try self.store.refusal(of: entry.body) { $0.code == .quota })
        } else if entry.isNote && withoutRefusedNotes {
          refusals.append(try self.store.refusal(of: entry.body) { !$0.isOfDisk })
        } else {
          try entry.body(self.store)
          refusals.append(nil)
        }
      }
      return refusals
    }
    let isNew = batch.contains(where: \.isNew)
    if !batch.contains(where: { $0.sync == .atOnce }) { return try store.withUnsyncedTransaction(isNew: isNew, run) }
    return try isNew ? store.withTransaction(run) : store.withNeededTransaction(run)
  }
}

extension StoreError {
  /// Whether the same write may succeed later.
  fileprivate var isOfDisk: Bool { [.full, .readOnly, .inputOutput, .degraded].contains(code) }

  /// The result of a part that never ran, although the commit succeeded; this does not happen.
  fileprivate static let neverRun = StoreError(.closed, "nothing was written")
}

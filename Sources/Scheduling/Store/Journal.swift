// SPDX-License-Identifier: Apache-2.0

/// Combines the writes of one turn of the loop into one commit, because a sync of the disk costs more than all the
/// rest.
///
/// Writes and completion handlers run in the order of the calls.
public final class Journal {
  private struct Entry {
    let isNew: Bool
    /// Whether its commit is synced.
    var isSynced = true
    let body: (Store) throws(StoreError) -> Void
    let done: (StoreError?) -> Void
  }

  private let store: Store
  private let time: any TimeSource
  private var entries: [Entry] = []
  private var mustSync = false

  /// Creates a journal of a store; `time` reports the end of a turn.
  public init(store: Store, time: any TimeSource) {
    self.store = store
    self.time = time
    store.whenLogIsLong = { [weak self] in self?.moveLogNextTurn() }
  }

  private var isMovingLog = false

  /// Moving the -wal takes as long as several commits: those who wait for this commit are answered first.
  private func moveLogNextTurn() {
    if isMovingLog { return }
    isMovingLog = true
    time.callNext { [weak self] in
      self?.isMovingLog = false
      self?.store.moveLog()
    }
  }

  /// Writes with the next commit, and calls `done` when that is on disk or has failed.
  ///
  /// - Parameter isNew: whether it stores a new request. A full disk refuses those; other writes still succeed.
  /// - Parameter body: may run twice; only its last run counts.
  public func write<T>(
    isNew: Bool = false, _ body: @escaping (Store) throws(StoreError) -> T,
    then done: @escaping (Result<T, StoreError>) -> Void
  ) {
    var value: T?
    let entry = Entry(isNew: isNew) { store throws(StoreError) in
      value = try body(store)
    } done: { error in
      if let value, error == nil { done(.success(value)) } else { done(.failure(error ?? .neverRun)) }
    }
    flushThisTurn()
    entries.append(entry)
  }

  /// Writes like ``note(_:)`` what may be lost if the machine ends at once, but not if only this process does. A turn
  /// with nothing else is synced within ``syncPause``.
  public func noteUnsynced(_ body: @escaping (Store) throws(StoreError) -> Void) {
    flushThisTurn()
    entries.append(
      Entry(isNew: false, isSynced: false) { store throws(StoreError) in
        try body(store)
      } done: { [weak self] error in
        if let error { self?.report(error) }
      })
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

  /// Writes without a completion handler. Failures are passed to `report`.
  public func note(_ body: @escaping (Store) throws(StoreError) -> Void) {
    write(body) { [weak self] result in
      if case .failure(let error) = result { self?.report(error) }
    }
  }

  /// Calls `done` once all earlier writes have been committed or have failed: immediately if there are none. Reads that
  /// must see these writes wait here, so that they share the commit of the turn.
  public func afterWrites(_ done: @escaping () -> Void) {
    if entries.isEmpty {
      done()
    } else {
      entries.append(
        Entry(isNew: false) { _ in
        } done: { _ in
          done()
        })
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
    guard !batch.isEmpty else { return sync() }
    do throws(StoreError) {
      let refusals = try commit(batch)
      if batch.contains(where: \.isSynced) { (mustSync, isUnsynced) = (false, false) } else { syncLater() }
      for (entry, refusal) in zip(batch, refusals) { entry.done(refusal) }
    } catch {
      // One write may make all of them fail, and a needed write may have space where a new request has none: try each
      // alone.
      if batch.count == 1 { batch[0].done(error) } else { for entry in batch { alone(entry) } }
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
      entry.done(try commit([entry])[0])
    } catch {
      entry.done(error)
    }
  }

  /// Commits the entries together; returns why an entry was left out, nil for one that was not. Only a quota leaves one
  /// out: a caller at its quota must not cost the others their common sync.
  private func commit(_ batch: [Entry]) throws(StoreError) -> [StoreError?] {
    let run = { () throws(StoreError) in
      var refusals: [StoreError?] = []
      for entry in batch {
        if entry.isNew && batch.count > 1 {
          refusals.append(try self.store.refusal(of: entry.body))
        } else {
          try entry.body(self.store)
          refusals.append(nil)
        }
      }
      return refusals
    }
    if !batch.contains(where: \.isSynced) { return try store.withUnsyncedTransaction(run) }
    return try batch.contains(where: \.isNew) ? store.withTransaction(run) : store.withNeededTransaction(run)
  }
}

extension StoreError {
  /// The result of a part that never ran, although the commit succeeded; this does not happen.
  fileprivate static let neverRun = StoreError(.closed, "nothing was written")
}

// SPDX-License-Identifier: Apache-2.0

/// Lets what is to be written in one turn of the loop share one commit: a sync of the disk costs more than all the rest.
///
/// Everything happens in the order in which it was asked for, what follows a write as well.
public final class Journal {
  private struct Entry {
    let isNew: Bool
    let body: (Store) throws(StoreError) -> Void
    let done: (StoreError?) -> Void
  }

  private let store: Store
  private let time: any TimeSource
  private var entries: [Entry] = []
  private var mustSync = false

  /// Of that store; `time` says when a turn is over.
  public init(store: Store, time: any TimeSource) {
    self.store = store
    self.time = time
  }

  /// Writes with the next commit, and calls `done` when that is on disk, or when it could not be done.
  ///
  /// - Parameter isNew: it is a new request, which a full disk refuses; all else is written there, too.
  /// - Parameter body: may run twice; only what it did last counts.
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

  private func flushThisTurn() {
    if entries.isEmpty && !mustSync { time.callNext { [weak self] in self?.flush() } }
  }

  /// The same for what nobody waits for. What cannot be written is `report`ed.
  public func note(_ body: @escaping (Store) throws(StoreError) -> Void) {
    write(body) { [weak self] result in
      if case .failure(let error) = result { self?.report(error) }
    }
  }

  /// Brings what was committed without the disk there when the turn is over: with what else is written, or by itself.
  public func syncThisTurn() {
    flushThisTurn()
    mustSync = true
  }

  /// Hears of notes that could not be written.
  public var report: (StoreError) -> Void = { _ in }

  /// Writes at once what waits for the end of the turn.
  public func flush() {
    let batch = entries
    entries = []
    guard !batch.isEmpty else { return sync() }
    do throws(StoreError) {
      let refusals = try commit(batch)
      mustSync = false
      for (entry, refusal) in zip(batch, refusals) { entry.done(refusal) }
    } catch {
      // One of them may be all that stands in the way, and what must be written may have room where a new request has none.
      if batch.count == 1 { batch[0].done(error) } else { for entry in batch { alone(entry) } }
    }
    sync()
  }

  private func sync() {
    if mustSync { store.syncLog() }
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
    return try batch.contains(where: \.isNew) ? store.withTransaction(run) : store.withNeededTransaction(run)
  }
}

extension StoreError {
  /// A commit that succeeded without its parts; there is none.
  fileprivate static let neverRun = StoreError(.closed, "nothing was written")
}

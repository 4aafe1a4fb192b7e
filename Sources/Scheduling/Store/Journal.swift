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
    if entries.isEmpty { time.callNext { [weak self] in self?.flush() } }
    entries.append(entry)
  }

  /// The same for what nobody waits for. What cannot be written is `report`ed.
  public func note(_ body: @escaping (Store) throws(StoreError) -> Void) {
    write(body) { [weak self] result in
      if case .failure(let error) = result { self?.report(error) }
    }
  }

  /// Hears of notes that could not be written.
  public var report: (StoreError) -> Void = { _ in }

  /// Writes at once what waits for the end of the turn.
  public func flush() {
    let batch = entries
    entries = []
    guard !batch.isEmpty else { return }
    do throws(StoreError) {
      try commit(batch)
      for entry in batch { entry.done(nil) }
    } catch {
      guard batch.count > 1 else { return batch[0].done(error) }
      // One of them may be all that stands in the way, and what must be written may have room where a new request has none.
      for entry in batch { alone(entry) }
    }
  }

  private func alone(_ entry: Entry) {
    do throws(StoreError) {
      try commit([entry])
      entry.done(nil)
    } catch {
      entry.done(error)
    }
  }

  private func commit(_ batch: [Entry]) throws(StoreError) {
    let run = { () throws(StoreError) in
      for entry in batch { try entry.body(self.store) }
    }
    if batch.contains(where: \.isNew) { try store.withTransaction(run) } else { try store.withNeededTransaction(run) }
  }
}

extension StoreError {
  /// A commit that succeeded without its parts; there is none.
  fileprivate static let neverRun = StoreError(.closed, "nothing was written")
}

// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Scheduling

/// Waits until a change is committed at the end of the turn.
struct RequestWriter {
  let loop: EventLoop
  let journal: Journal

  /// Writes in the commit of this turn, and calls `then` in the same turn.
  func write<T: Sendable>(
    isNew: Bool = false, sync: Journal.Sync = .atOnce, _ body: @escaping (Store) throws(StoreError) -> T,
    then done: @escaping (T) -> Void = { _ in }
  ) async throws(StoreError) {
    let result: Result<Void, StoreError> = await loop.withContinuation { continuation in
      journal.write(isNew: isNew, sync: sync, body) { result in
        // First, though the task goes on only after this turn's work: the caller is answered before what `done` puts in
        // line, such as setting the alarm.
        continuation.resume(returning: result.map { _ in })
        if case .success(let value) = result { done(value) }
      }
    }
    try result.get()
  }

  /// Writes in the commit of this turn, calls `then` in the same turn, before the sync, and returns once that is done.
  ///
  /// If the center ends in between, the change is there. If the machine does, what `then` has shown is gone as well.
  func writeBeforeSync<T: Sendable>(
    isNew: Bool = false, _ body: @escaping (Store) throws(StoreError) -> T, then done: @escaping (T) -> Void
  ) async throws(StoreError) {
    let result: Result<Void, StoreError> = await loop.withContinuation { continuation in
      journal.write(isNew: isNew, sync: .withLater, body) { [journal] result in
        switch result {
        case .failure(let error): continuation.resume(returning: .failure(error))
        case .success(let value):
          done(value)
          journal.syncNextTurn { continuation.resume(returning: Self.result(isSynced: $0)) }
        }
      }
    }
    try result.get()
  }

  /// Returns once what was written without a sync is on disk.
  func syncNextTurn() async throws(StoreError) {
    let result: Result<Void, StoreError> = await loop.withContinuation { continuation in
      journal.syncNextTurn { continuation.resume(returning: Self.result(isSynced: $0)) }
    }
    try result.get()
  }

  private static func result(isSynced: Bool) -> Result<Void, StoreError> {
    isSynced ? .success(()) : .failure(StoreError(.inputOutput, "the log could not be synced"))
  }
}

/// The result of storing new requests.
struct StoredBatch: Sendable {
  /// The deliveries of requests that are due immediately, in the order of the requests; nil for those due later.
  let records: [DeliveryRecord?]
  /// The pending requests that they replaced.
  let replaced: [NewRequest]
  /// When the first of those comes that are due later; nil if one of them waits for a condition, wakes the machine or
  /// has replaced another.
  let first: Timestamp?

  init(records: [DeliveryRecord?], replaced: [NewRequest], of requests: some Sequence<NewRequest>) {
    self.records = records
    self.replaced = replaced
    first = replaced.isEmpty ? Self.first(of: requests) : nil
  }

  private static func first(of requests: some Sequence<NewRequest>) -> Timestamp? {
    var first: Timestamp?
    for request in requests where request.start != .now {
      guard let date = request.start.date?.due, !request.wakes else { return nil }
      first = min(first ?? date, date)
    }
    return first
  }
}

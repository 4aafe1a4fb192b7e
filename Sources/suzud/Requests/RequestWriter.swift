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
}

/// The result of storing new requests.
struct StoredBatch: Sendable {
  /// The deliveries of requests that are due immediately, in the order of the requests; nil for those due later.
  let records: [DeliveryRecord?]
  /// The pending requests that they replaced.
  let replaced: [NewRequest]
}

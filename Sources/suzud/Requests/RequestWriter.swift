// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Scheduling

/// Waits for what is written with the commit of a turn.
struct RequestWriter {
  let loop: EventLoop
  let journal: Journal

  /// Commits with the turn of the loop, and does what follows in the same turn.
  func write<T: Sendable>(
    isNew: Bool = false, _ body: @escaping (Store) throws(StoreError) -> T,
    then done: @escaping (T) -> Void = { _ in }
  ) async throws(StoreError) {
    let result: Result<Void, StoreError> = await loop.withContinuation { continuation in
      journal.write(isNew: isNew, body) { result in
        if case .success(let value) = result { done(value) }
        continuation.resume(returning: result.map { _ in })
      }
    }
    try result.get()
  }
}

/// What a commit of new requests did.
struct StoredBatch: Sendable {
  /// What is due at once, in the order of the requests; nil for what is due later.
  let records: [DeliveryRecord?]
  /// The requests that took the place of pending ones.
  let replaced: [NewRequest]
}

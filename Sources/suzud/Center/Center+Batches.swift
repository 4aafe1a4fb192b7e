// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Stores very many requests, all or none, with a commit for each part of them, so that no turn of the loop takes long.
extension Center {
  /// Whether the requests are few enough for one commit.
  static func fitInOneCommit(_ planned: [Scheduler.Planned]) -> Bool {
    planned.count <= Store.mostInPart.requests
      && planned.reduce(0) { $0 + $1.stored.payload.utf8.count } <= Store.mostInPart.bytes
  }

  /// - Parameter requests: as they came, in the same order.
  func commitInParts(
    _ planned: [Scheduler.Planned], _ requests: [NotificationRequest], from caller: BusName?, asker: String?
  ) async throws(RemoteError) {
    // One batch at a time.
    while let others = waitingBatches {
      await loop.withContinuation { continuation in waitingBatches = others + [{ continuation.resume() }] }
    }
    waitingBatches = []
    defer {
      let next = waitingBatches ?? []
      waitingBatches = nil
      for resume in next { resume() }
    }
    let parts = Self.parts(of: planned)
    do throws(StoreError) {
      var charges: [Identifier: Account] = [:]
      for (index, part) in parts.enumerated() {
        let stored = planned[part].lazy.map(\.stored)
        for request in stored {
          if charges[Identifier(request.app)]?.add(request.charge) == nil {
            charges[Identifier(request.app)] = request.charge
          }
        }
        try await write(isNew: true) { [charges] store throws(StoreError) in
          try store.stage(stored, number: index + 1, charges: charges)
        }
      }
      try await write(isNew: true) { store throws(StoreError) in try store.acceptBatch() }
    } catch {
      journal.note { store throws(StoreError) in try store.dropBatch() }
      throw RemoteError(error)
    }
    for (index, part) in parts.enumerated() {
      await move(planned[part], number: index + 1, requests[part], from: caller, asker: asker)
    }
  }

  /// Moves a part that is accepted: a disk that fails is asked again until it works.
  private func move(
    _ part: ArraySlice<Scheduler.Planned>, number: Int, _ requests: ArraySlice<NotificationRequest>,
    from caller: BusName?, asker: String?
  ) async {
    var pause: Duration = .seconds(1)
    while true {
      let now = time.wall
      do throws(StoreError) {
        return try await write { store throws(StoreError) in
          var replaced: [NewRequest] = []
          let records = try store.moveBatchPart(part.lazy.map(\.stored), number: number, now: now) { replaced.append($0) }
          return Stored(records: records, replaced: replaced)
        } then: { center, stored in
          center.committed(requests, stored, from: caller, asker: asker)
        }
      } catch {
        Log.error("requests that were accepted cannot be stored; this is tried again", error.message)
      }
      guard (try? await loop.sleep(for: pause)) != nil else { return }
      pause = min(pause * 2, .seconds(60))
    }
  }

  /// Commits with the turn of the loop, and does what follows in the same turn.
  func write<T: Sendable>(
    isNew: Bool = false, _ body: @escaping (Store) throws(StoreError) -> T,
    then done: @escaping @Sendable (isolated Center, T) -> Void = { _, _ in }
  ) async throws(StoreError) {
    let result: Result<Void, StoreError> = await loop.withContinuation { continuation in
      journal.write(isNew: isNew, body) { [self] result in
        if case .success(let value) = result { assumeIsolated { done($0, value) } }
        continuation.resume(returning: result.map { _ in })
      }
    }
    try result.get()
  }

  /// Cuts them where a part has enough requests or bytes.
  private static func parts(of planned: [Scheduler.Planned]) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var (start, bytes) = (0, 0)
    for index in planned.indices {
      bytes += planned[index].stored.payload.utf8.count
      guard index - start + 1 >= Store.mostInPart.requests || bytes >= Store.mostInPart.bytes else { continue }
      parts.append(start..<(index + 1))
      (start, bytes) = (index + 1, 0)
    }
    if start < planned.count { parts.append(start..<planned.count) }
    return parts
  }
}

/// What a commit of new requests did.
struct Stored: Sendable {
  /// What is due at once, in the order of the requests; nil for what is due later.
  let records: [DeliveryRecord?]
  /// The requests that took the place of pending ones.
  let replaced: [NewRequest]
}

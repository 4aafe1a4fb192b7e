// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Stores very many requests, all or none, with one commit for each part, so that no turn of the loop takes long.
final class RequestBatches {
  private let loop: EventLoop
  private let writer: RequestWriter
  private let journal: Journal
  private let time: any TimeSource
  private let store: Store
  private let waiting: WaitingDeliveries
  private var isFreeingCache = false
  /// Held while a batch is being stored.
  private let turn: TaskLock

  init(on loop: EventLoop, writer: RequestWriter, agenda: Agenda, waiting: WaitingDeliveries) {
    self.loop = loop
    turn = TaskLock(on: loop)
    self.writer = writer
    journal = agenda.journal
    store = agenda.store
    time = agenda.time
    self.waiting = waiting
  }

  /// Whether the requests are few enough for one commit.
  func fitInOneCommit(_ planned: [NewRequest]) throws(StoreError) -> Bool {
    let bytes = planned.reduce(0) { $0 + $1.payload.utf8.count }
    func fits(_ most: Store.PartLimits) -> Bool { planned.count <= most.requests && bytes <= most.bytes }
    if fits(.replacing) { return true }
    return fits(try store.partLimits(of: planned))
  }

  /// - Parameters:
  ///   - requests: in the order of the call.
  ///   - done: called with the positions of each stored part, in the turn in which it was stored.
  func store(
    _ requests: [NewRequest], then done: @escaping (ArraySlice<Int>, StoredBatch) -> Void
  ) async throws(StoreError) {
    // One batch at a time.
    await turn.take()
    store.keepsLargeCache = true
    defer {
      freeCacheLater()
      turn.release()
    }
    let order = await StoringOrder.of(requests, on: loop)
    let parts = Self.parts(of: requests, in: order, atMost: try store.partLimits(of: requests))
    let first = parts[0]
    do throws(StoreError) {
      var charges: [Identifier: Account] = [:]
      for (index, part) in parts.enumerated() {
        part.charge(&charges)
        if index == 0 { continue }
        // Code that resumes after a commit runs in the same turn of the loop.
        if index > 1 { await loop.nextTurn() }
        try await writer.write(isNew: true, sync: .withLater) { [charges] store throws(StoreError) in
          try store.stage(part, number: index, charges: charges)
        }
      }
      await loop.nextTurn()
      let now = time.wall
      let sync = sync(of: first, isLast: parts.count == 1)
      try await writer.write(isNew: true, sync: sync) { [waiting] store throws(StoreError) in
        var replaced: [NewRequest] = []
        let records = try store.acceptBatch(first, now: now) { replaced.append($0) }
        try waiting.recordReplaced(by: requests, at: first.positions, in: store, now: now)
        return StoredBatch(records: records, replaced: replaced, of: first.positions.lazy.map { requests[$0] })
      } then: {
        done(first.positions, $0)
      }
    } catch {
      journal.note { store throws(StoreError) in try store.dropBatch() }
      throw error
    }
    for (index, part) in parts.enumerated().dropFirst() {
      await loop.nextTurn()
      await move(part, of: requests, number: index, isLast: index == parts.count - 1) { done(part.positions, $0) }
    }
  }

  /// How long the pages of a batch stay in memory for the next one, in milliseconds.
  private static let cachePause: Int64 = 1000

  private func freeCacheLater() {
    if isFreeingCache { return }
    isFreeingCache = true
    time.call(after: Self.cachePause) { [weak self] in
      guard let self else { return }
      isFreeingCache = false
      if !turn.isHeld { store.keepsLargeCache = false } else { freeCacheLater() }
    }
  }

  /// The caller is answered after the last part, whose commit syncs all of them: meanwhile the kernel writes the others
  /// to the disk. But what is shown at once must be on disk before.
  private func sync(of part: BatchPart, isLast: Bool) -> Journal.Sync {
    isLast || part.startsNow ? .atOnce : .withLater
  }

  /// Stores an accepted part; if the disk fails, it is tried again until it works.
  private func move(
    _ part: BatchPart, of requests: [NewRequest], number: Int, isLast: Bool, then done: @escaping (StoredBatch) -> Void
  ) async {
    let sync = sync(of: part, isLast: isLast)
    var pause: Duration = .seconds(1)
    while true {
      let now = time.wall
      do throws(StoreError) {
        return try await writer.write(
          sync: sync,
          { [waiting] store throws(StoreError) in
            var replaced: [NewRequest] = []
            let records = try store.moveBatchPart(part, number: number, now: now) {
              replaced.append($0)
            }
            try waiting.recordReplaced(by: requests, at: part.positions, in: store, now: now)
            return StoredBatch(records: records, replaced: replaced, of: part.positions.lazy.map { requests[$0] })
          }, then: done)
      } catch {
        Log.error("could not store accepted requests; trying again", error.message)
      }
      guard (try? await loop.sleep(for: pause)) != nil else { return }
      pause = min(pause * 2, .seconds(60))
    }
  }

  /// Divides the requests into parts of limited count and size.
  private static func parts(
    of requests: [NewRequest], in order: [Int], atMost most: Store.PartLimits
  ) -> [BatchPart] {
    var parts: [BatchPart] = []
    var (start, bytes) = (0, 0)
    for (index, position) in order.enumerated() {
      bytes += requests[position].payload.utf8.count
      guard index - start + 1 >= most.requests || bytes >= most.bytes else { continue }
      parts.append(BatchPart(requests, at: order[start...index]))
      (start, bytes) = (index + 1, 0)
    }
    if start < order.count { parts.append(BatchPart(requests, at: order[start...])) }
    return parts
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// Stores a push, its id, and what follows from it at once, in one transaction.
final class PushCommit {
  /// The result of a push.
  enum Result: Sendable {
    /// It is stored; the response stands for a silent one on its way to its app.
    case stored(ResponseRecord?)
    /// It was stored before, as the request with this id.
    case known(String)
    /// A request with its id waits for its date or condition, which a push cannot end.
    case waits
  }

  /// How a push ends that is not shown.
  struct Ending {
    let end: RequestEnd
    /// Whether its app gets it.
    let isHandedOver: Bool
  }

  private let writer: RequestWriter
  private let time: any TimeSource
  private let asked: AskedRequests
  private let ends: Ends
  private let commit: RequestCommit

  init(writer: RequestWriter, time: any TimeSource, asked: AskedRequests, ends: Ends, commit: RequestCommit) {
    self.writer = writer
    self.time = time
    self.asked = asked
    self.ends = ends
    self.commit = commit
  }

  /// Stores it, and shows it if that is not its end.
  ///
  /// - Parameters:
  ///   - ending: nil if it is shown.
  ///   - isMutable: whether its app may change it before.
  func store(
    _ planned: NewRequest, _ request: NotificationRequest, _ push: PushRecord, ending: Ending?, isMutable: Bool,
    from caller: Caller?
  ) async throws(CenterError) -> Result {
    if ending == nil, let shown = showFirst(planned, request, push, isMutable: isMutable, from: caller) {
      do throws(StoreError) {
        try shown.get()
        try await writer.syncNextTurn()
        return .stored(nil)
      } catch {
        throw CenterError(error)
      }
    }
    return try await storeFirst(planned, request, push, ending: ending, isMutable: isMutable, from: caller)
  }

  /// Shows it before it is stored, if that is possible; returns nil if not.
  private func showFirst(
    _ planned: NewRequest, _ request: NotificationRequest, _ push: PushRecord, isMutable: Bool, from caller: Caller?
  ) -> Swift.Result<Void, StoreError>? {
    let result = writer.journal.showBeforeCommit(push, planned, now: time.wall) { record in
      asked.note([request], askedBy: nil)
      commit.committed(
        [request], at: [0][...], StoredBatch(records: [record], replaced: [], of: CollectionOfOne(planned)),
        from: caller, asker: planned.asker, lapses: push.lapses, isMutable: isMutable)
    } storing: { [asked] _ throws(StoreError) in
      try asked.write([request], askedBy: nil)
    }
    // Its sender is told, and sends it again.
    if case .failure? = result { commit.takeBack(request) }
    return result
  }

  private func storeFirst(
    _ planned: NewRequest, _ request: NotificationRequest, _ push: PushRecord, ending: Ending?, isMutable: Bool,
    from caller: Caller?
  ) async throws(CenterError) -> Result {
    let now = time.wall
    var result = Result.waits
    do throws(StoreError) {
      // It is shown while the disk syncs it, and acknowledged after that: a machine that loses power in between gets it
      // again, and what was on its screen is gone.
      try await writer.writeBeforeSync(isNew: true) { [asked] store throws(StoreError) in
        try Self.write(planned, request, push, ending: ending, asked, in: store, now: now)
      } then: { [self] (written: Written) in
        switch written {
        case .waits: result = .waits
        case .known(let id): result = .known(id)
        case .stored(let batch, let response):
          result = .stored(response)
          if let ending {
            ends.tell(of: request.app.text, request.id?.text ?? "", ending.end)
          } else {
            asked.note([request], askedBy: nil)
            commit.committed(
              [request], at: [0][...], batch, from: caller, asker: planned.asker, lapses: push.lapses,
              isMutable: isMutable)
          }
        }
      }
    } catch {
      throw CenterError(error)
    }
    return result
  }

  private enum Written: Sendable {
    case stored(StoredBatch, ResponseRecord?)
    case known(String)
    case waits
  }

  private static func write(
    _ planned: NewRequest, _ request: NotificationRequest, _ push: PushRecord, ending: Ending?,
    _ asked: AskedRequests, in store: Store, now: Timestamp
  ) throws(StoreError) -> Written {
    if let id = push.id, let known = try store.request(ofPush: id, of: push.app, now: now) { return .known(known) }
    if try store.request(app: planned.app, id: planned.id)?.wait != nil { return .waits }
    var replaced: [NewRequest] = []
    let records = try store.putInOrder(BatchPart([planned]), now: now) { replaced.append($0) }
    // A request without a date is due at once.
    guard let record = records.first ?? nil else { return .waits }
    try store.recordPush(push, as: record, now: now)
    var response: ResponseRecord?
    if let ending {
      try store.recordClosed(record.number, as: ending.end.state, reason: ending.end.rawValue, now: now)
      if ending.isHandedOver {
        response = try store.commitResponse(to: record, action: Action.silentPushID, reply: nil, now: now)
      }
    } else {
      try asked.write([request], askedBy: nil)
    }
    return .stored(StoredBatch(records: records, replaced: replaced, of: CollectionOfOne(planned)), response)
  }
}

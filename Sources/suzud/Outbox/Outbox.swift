// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Messages to servers elsewhere. The center connects to no server: a program of the user, `suzu-link`, asks for the
/// list, takes one message after another, and reports the result of each. Such a program is called a carrier.
///
/// The store holds only references to notifications. The texts are read when a carrier takes a message, so that a
/// notification that has been answered is not sent.
final class Outbox {
  private let loop: EventLoop
  private let store: Store
  private let journal: Journal
  private let time: any TimeSource
  private let texts: OutgoingTexts
  /// Tells a carrier that a message waits.
  private let announce: (Caller) -> Void
  /// Starts a carrier.
  private let start: () -> Void
  /// Reports a carrier to ``forget(_:)`` when it leaves the bus, also if it has left already.
  private let lookOut: (Caller) async -> Void
  /// The programs that send, until they leave the bus.
  private var carriers: Set<Caller> = []
  /// The calls of this run that have not ended: each is told its outcome.
  private var calls: [OutgoingRecord.Number: (Outcome) -> Void] = [:]
  /// Why a message cannot be sent at present, as a carrier reports.
  private var obstacles: [OutgoingRecord.Number: String] = [:]

  init(
    on loop: EventLoop, store: Store, journal: Journal, time: any TimeSource, texts: OutgoingTexts,
    announce: @escaping (Caller) -> Void, start: @escaping () -> Void, lookOut: @escaping (Caller) async -> Void
  ) {
    self.loop = loop
    self.store = store
    self.journal = journal
    self.time = time
    self.texts = texts
    self.announce = announce
    self.start = start
    self.lookOut = lookOut
  }

  // MARK: Queuing

  /// Stores the messages of the steps of a notification that have come, each once. It is shown again now, or would be
  /// if this desktop did not hold it.
  func queue(_ due: Due) {
    guard due.step > 0, due.rights == .all, let delivery = due.record?.delivery, let nag = due.request.content.nag,
      !nag.pushes(at: due.step).isEmpty
    else { return }
    let (app, step, now) = (due.request.app.text, due.step, time.wall)
    journal.write { store throws(StoreError) in
      try store.queuePushes(of: delivery, app: app, nag, at: step, now: now)
    } then: { [weak self] result in
      switch result {
      case .success(true): self?.tellCarriers()
      case .success(false): break
      case .failure(let error): Log.error("could not record what is to be sent", error.message)
      }
    }
  }

  /// Stores a call of a server. `done` is called with its outcome, or with that of an earlier run of the center, unless
  /// one is returned at once.
  func call(
    of response: ResponseRecord.Number, app: String, content: String, done: @escaping (Outcome) -> Void
  ) async -> Outcome? {
    let now = time.wall
    let result: Result<OutgoingRecord?, StoreError> = await loop.withContinuation { continuation in
      journal.write { store throws(StoreError) in
        try store.queueCall(of: response, app: app, content: content, now: now)
      } then: {
        continuation.resume(returning: $0)
      }
    }
    switch result {
    case .failure(let error): return .failed("not sent, because the disk could not record it: \(error.message)")
    case .success(nil): return .failed("too much waits to be sent already")
    case .success(let record?):
      calls[record.number] = done
      time.call(after: max(0, Store.outgoingAge - (now - record.queued))) { [weak self] in
        self?.lapse(record.number)
      }
      tellCarriers()
      return nil
    }
  }

  /// The answer to a push was stored.
  func answerWaits() { tellCarriers() }

  private func lapse(_ number: OutgoingRecord.Number) {
    if calls[number] == nil { return }
    loop.start { try? await self.finish(number, as: .lapsed, detail: "") }
  }

  private func tellCarriers() {
    if carriers.isEmpty { return start() }
    for carrier in carriers.sorted() { announce(carrier) }
  }

  // MARK: Carriers

  /// Returns the messages that wait to be sent, and registers the caller: `announce` tells it of each later message.
  func waiting(for carrier: Caller) async throws(CenterError) -> [OutgoingRecord] {
    if carriers.insert(carrier).inserted { await lookOut(carrier) }
    await journal.waitForWrites(on: loop)
    do throws(StoreError) { return try store.outgoing(now: time.wall) } catch { throw CenterError(error) }
  }

  /// Returns the content of a message that a carrier is about to send.
  func take(_ number: OutgoingRecord.Number) async throws(CenterError) -> OutgoingContent {
    // An answer that came in this turn counts: the message is no longer needed.
    await journal.waitForWrites(on: loop)
    do throws(StoreError) {
      if let record = try store.outgoing(number, now: time.wall), let content = try texts.content(of: record) {
        return content
      }
    } catch {
      throw CenterError(error)
    }
    throw CenterError(.notFound, "\(number) does not wait to be sent any more")
  }

  /// - Parameter detail: why it was not sent; it may quote no text.
  func finish(
    _ number: OutgoingRecord.Number, as state: OutgoingRecord.State, detail: String
  ) async throws(CenterError) {
    let detail = detail.isEmpty ? nil : DisplayText.line(String(detail.prefix(Self.longestDetail)))
    guard state != .waiting else {
      if let detail, try isWaiting(number) { obstacles[number] = detail } else { obstacles[number] = nil }
      return
    }
    obstacles[number] = nil
    let now = time.wall
    let result: Result<Bool, StoreError> = await loop.withContinuation { continuation in
      journal.write { store throws(StoreError) in
        try store.settleOutgoing(number, as: state, detail: detail, now: now)
      } then: {
        continuation.resume(returning: $0)
      }
    }
    do throws(StoreError) {
      // Only what has waited has an outcome.
      if try result.get() { calls.removeValue(forKey: number)?(state.outcome(detail)) }
    } catch {
      throw CenterError(error)
    }
  }

  private static let longestDetail = 200

  private func isWaiting(_ number: OutgoingRecord.Number) throws(CenterError) -> Bool {
    do throws(StoreError) { return try store.outgoing(number, now: time.wall) != nil } catch {
      throw CenterError(error)
    }
  }

  /// A caller has left the bus.
  func forget(_ caller: Caller) {
    guard carriers.remove(caller) != nil, carriers.isEmpty else { return }
    obstacles = [:]
  }

  /// The center has connected to another bus, which has other callers.
  func forgetAll() {
    carriers = []
    obstacles = [:]
  }

  // MARK: Reports

  /// The messages of a delivery and their results.
  func pushes(of delivery: DeliveryRecord.Number, _ dates: DateText) throws(StoreError) -> [ListedRequest.Push] {
    try store.outgoing(of: delivery, now: time.wall).map { record in
      ListedRequest.Push(
        step: record.step ?? 0, link: record.link, state: record.state.listed,
        at: record.settled.map { dates.text($0, zone: nil) },
        detail: record.state == .waiting
          ? obstacle(to: record).map { Self.withoutName($0, of: record.link) } : record.detail)
    }
  }

  /// A carrier puts the name of the link before a reason. The step that names its link has it already.
  private static func withoutName(_ reason: String, of link: String?) -> String {
    guard let link, reason.hasPrefix("\(link): ") else { return reason }
    return String(reason.dropFirst(link.count + 2))
  }

  private func obstacle(to record: OutgoingRecord) -> String? {
    carriers.isEmpty ? Self.noCarrier : obstacles[record.number]
  }

  private static let noCarrier = "suzu-link does not run"

  /// Why messages wait, one line for each reason.
  var problems: [String] {
    guard let waiting = try? store.outgoing(now: time.wall), !waiting.isEmpty else { return [] }
    let reasons = Dictionary(grouping: waiting.compactMap { obstacle(to: $0) }) { $0 }
    return reasons.sorted { $0.key < $1.key }.map { reason, all in
      "\(all.count == 1 ? "1 message waits" : "\(all.count) messages wait") to be sent: \(reason)"
    }
  }
}

extension OutgoingRecord.State {
  fileprivate var listed: ListedRequest.Push.State {
    switch self {
    case .waiting: .waiting
    case .sent: .sent
    case .failed: .failed
    case .lapsed: .lapsed
    case .unneeded: .unneeded
    }
  }
}

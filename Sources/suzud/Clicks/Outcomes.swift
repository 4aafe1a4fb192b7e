// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Records that an action begins, before it begins; records and sends its outcome.
final class Outcomes {
  private let loop: EventLoop
  private let timeouts: Timeouts
  private let journal: Journal
  private let time: any TimeSource
  private let audience: any Audience
  private let waiting: WaitingResponses
  let unstored: UnstoredResponses

  init(
    on loop: EventLoop, timeouts: Timeouts, journal: Journal, time: any TimeSource, audience: any Audience,
    waiting: WaitingResponses
  ) {
    self.loop = loop
    self.timeouts = timeouts
    self.journal = journal
    self.time = time
    self.audience = audience
    self.waiting = waiting
    unstored = UnstoredResponses(journal: journal)
  }

  /// Records that the action begins, so that it is never carried out twice. Returns nil if the action may begin now,
  /// otherwise its outcome.
  ///
  /// If the disk fails, this is tried again for some seconds. After that the action is not carried out: without the
  /// record, the next start would do it again. If the response itself is not on disk yet, its beginning is stored with it,
  /// and the action waits for neither.
  func obstacle(to click: Click) async -> Outcome? {
    guard let record = click.record, !record.hasBegun else { return nil }
    var pause = timeouts.pauses.record
    while true {
      if unstored.keep(record.number, hasBegun: true) {
        waiting.forget(record.number)
        return nil
      }
      switch await markRunning(record.number) {
      case .success(true):
        waiting.forget(record.number)
        return nil
      case .success(false): return .failed("interrupted")
      case .failure(let error):
        guard pause <= timeouts.pauses.longestRecord, (try? await loop.sleep(for: pause)) != nil else {
          return .failed("not begun, because the disk could not record it: \(error.message)")
        }
        pause *= 2
      }
    }
  }

  /// Records that nothing of the action was done: it may begin again, also after a restart.
  func takeBack(_ click: inout Click) {
    guard let record = click.record else { return }
    click.record?.hasBegun = false
    if unstored.keep(record.number, hasBegun: false) { return }
    journal.note { store throws(StoreError) in try store.markNotBegun(record.number) }
  }

  private func markRunning(_ number: ResponseRecord.Number) async -> Result<Bool, StoreError> {
    await loop.withContinuation { continuation in
      journal.write(isInOrder: true) { store throws(StoreError) in
        try store.markRunning(number)
      } then: {
        continuation.resume(returning: $0)
      }
    }
  }

  func finish(_ click: Click, _ outcome: Outcome) {
    let now = time.wall
    if let record = click.record {
      waiting.forget(record.number)
      journal.note { store throws(StoreError) in
        try store.finish(record.number, outcome: outcome.description, now: now)
      }
    }
    audience.tell(.outcome(response: click.response.number, outcome), of: click.response.app)
  }

  func tellWaiting(_ click: Click, _ what: String) {
    if let record = click.record { waiting.note(record.number, waitsFor: what) }
    audience.tell(.outcome(response: click.response.number, .waiting(what)), of: click.response.app)
  }
}

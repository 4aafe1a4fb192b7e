// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// How far an action has come: that it begins is written down before it begins, its outcome is written down and told.
final class Outcomes {
  private let loop: EventLoop
  private let timeouts: Timeouts
  private let journal: Journal
  private let time: any TimeSource
  private let audience: any Audience

  init(on loop: EventLoop, timeouts: Timeouts, journal: Journal, time: any TimeSource, audience: any Audience) {
    self.loop = loop
    self.timeouts = timeouts
    self.journal = journal
    self.time = time
    self.audience = audience
  }

  /// Its beginning is on disk before it begins: whatever happens then, it is not done twice. Nil: it is there, and the
  /// action may begin; otherwise the outcome that it has instead.
  ///
  /// A disk that fails is asked again for some seconds. After that the action is not done: what the disk does not know to
  /// have begun would be done again after the next start.
  func obstacle(to click: Click) async -> Outcome? {
    guard let record = click.record, !record.hasBegun else { return nil }
    var pause = timeouts.recordPause
    while true {
      switch await markRunning(record.number) {
      case .success(true): return nil
      case .success(false): return .failed("interrupted")
      case .failure(let error):
        guard pause <= timeouts.longestRecordPause, (try? await loop.sleep(for: pause)) != nil else {
          return .failed("not begun, because the disk could not record it: \(error.message)")
        }
        pause *= 2
      }
    }
  }

  private func markRunning(_ number: ResponseRecord.Number) async -> Result<Bool, StoreError> {
    await loop.withContinuation { continuation in
      journal.write { store throws(StoreError) in
        try store.markRunning(number)
      } then: {
        continuation.resume(returning: $0)
      }
    }
  }

  func finish(_ click: Click, _ outcome: Outcome) {
    let now = time.wall
    if let record = click.record {
      journal.note { store throws(StoreError) in
        try store.finish(record.number, outcome: outcome.description, now: now)
      }
    }
    audience.tell(.outcome(response: click.response.number, outcome), of: click.response.app)
  }

  func tellWaiting(_ click: Click, _ what: String) {
    audience.tell(.outcome(response: click.response.number, .waiting(what)), of: click.response.app)
  }
}

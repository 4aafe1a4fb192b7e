// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// Deliveries that are only in the store: of an earlier run, or gone from the screen long ago.
final class PastDeliveries {
  /// How long a click counts after the notification has left the screen, in milliseconds.
  static let lateClick: Int64 = 24 * 3_600_000

  private let store: Store
  private let journal: Journal
  private let time: any TimeSource
  private let ends: Ends
  private let link: ServerLink

  init(store: Store, journal: Journal, time: any TimeSource, ends: Ends, link: ServerLink) {
    self.store = store
    self.journal = journal
    self.time = time
    self.ends = ends
    self.link = link
  }

  /// The delivery with its request; returns nil, after ending it, if its request is gone.
  func due(_ record: DeliveryRecord, isAgain: Bool) throws(StoreError) -> Due? {
    guard let stored = try store.request(revision: record.revision), var request = Payload.request(stored) else {
      let now = time.wall
      journal.note { store throws(StoreError) in
        try store.recordClosed(record.number, as: .failed, reason: "its request is gone", now: now)
      }
      ends.tell(of: record.app, record.id, .failed)
      return nil
    }
    request.id = RequestID(trusted: record.id)
    let lapses = record.state == .intent ? try store.lapse(of: record.number) : nil
    return Due(
      request, as: record, missed: Int(record.missed), isAgain: isAgain, asker: stored.asker,
      step: record.comingStep(of: request, at: time.wall), lapses: lapses)
  }

  /// An unanswered notification of this server that is no longer in memory.
  func recall(_ number: PostedNumber) -> ShownNotification? {
    guard let state = link.state, state.owner == number.server else { return nil }
    // Includes the changes of this turn.
    journal.flush()
    guard let record = try? store.delivery(server: state.storedName, serverNumber: Int64(number.number)),
      record.state == .shown || record.state == .closed, record.reason != RequestEnd.replaced.rawValue,
      record.reason != RequestEnd.withdrawn.rawValue,
      time.wall - (record.closed ?? time.wall) <= Self.lateClick,
      (try? store.responses(to: record.number))?.isEmpty == true, let due = try? due(record, isAgain: false)
    else { return nil }
    return ShownNotification(key: RequestKey(due), due: due, offer: OfferedActions(json: record.keys))
  }
}

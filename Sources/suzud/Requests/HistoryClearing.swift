// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Scheduling

/// Deletes history at the user's wish, a slice in each turn of the loop.
final class HistoryClearing {
  private let loop: EventLoop
  private let store: Store
  private let journal: Journal
  private let dismissals: Dismissals

  /// How many deliveries one turn looks at.
  private static let slice = 100

  init(on loop: EventLoop, agenda: Agenda, dismissals: Dismissals) {
    self.loop = loop
    self.dismissals = dismissals
    store = agenda.store
    journal = agenda.journal
  }

  /// Deletes what has ended of the history of an app, or of all apps; returns how many notifications that were. What
  /// ends in the meantime stays.
  func clear(_ app: String?, before end: Timestamp?) async throws(CenterError) -> Int {
    await journal.waitForWrites(on: loop)
    do throws(StoreError) {
      let last = try store.lastDelivery
      var count = 0
      var place: DeliveryRecord.Number?
      while true {
        let records = try store.ended(of: app, after: place, limit: Self.slice).filter { $0.number <= last }
        if records.isEmpty { return count }
        let (seen, deleted) = try store.clear(records, before: end)
        count += deleted.count
        dismissals.withdraw(deleted: deleted)
        if seen > 0 { place = records[seen - 1].number }
        await loop.nextTurn()
      }
    } catch {
      throw CenterError(error)
    }
  }
}

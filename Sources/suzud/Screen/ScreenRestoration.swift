// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// What an earlier run of the center left on the screen.
final class ScreenRestoration {
  private let store: Store
  private let journal: Journal
  private let past: PastDeliveries
  private let screen: Screen
  private let ends: Ends
  /// Whether what was on the screen before the center started has been looked at.
  private var isRestored = false

  init(store: Store, journal: Journal, past: PastDeliveries, screen: Screen, ends: Ends) {
    self.store = store
    self.journal = journal
    self.past = past
    self.screen = screen
    self.ends = ends
  }

  /// The first server is there: is it the one that had our notifications, and are they still on its screen? Later servers
  /// change nothing.
  func restore(on state: ServerState) {
    if isRestored { return }
    isRestored = true
    do throws(StoreError) {
      for record in try store.delivered().reversed() {
        guard let due = try past.due(record, isAgain: false), let number = record.serverNumber else { continue }
        ends.begin(due)
        let key = RequestKey(due)
        guard record.server == state.storedName else {
          lost(due, key)
          continue
        }
        // A newer one with the id is due: it takes this one's place.
        let newer = screen[key]
        let shown = PostedNumber(server: state.owner, number: UInt32(truncatingIfNeeded: number))
        screen.restore(due, as: key, shown, offer: OfferedActions(json: record.keys))
        if let newer {
          screen.add(newer.due, as: key)
        } else if due.request.style == .alert {
          // GNOME takes down what was posted by a connection that is gone; elsewhere it is replaced by itself, in silence.
          screen.showAgain(key, replacing: shown)
        }
      }
    } catch {
      Log.error("what was on the screen is not known", error.message)
    }
  }

  /// Its server ended while no center was running.
  private func lost(_ due: Due, _ key: RequestKey) {
    guard let delivery = due.record?.delivery else { return }
    if due.request.style == .alert && screen[key] == nil {
      journal.note { store throws(StoreError) in try store.recordLost(delivery) }
      screen.add(due, as: key)
      screen.showAgain(key)
    } else {
      ends.end(due, .vanished)
    }
  }
}

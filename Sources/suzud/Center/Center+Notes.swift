// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// That a delivery was shown, written down with the rest of the turn: no caller waits for it.
extension Center {
  func noteShown(_ due: Due, _ number: PostedNumber, _ presentation: Presentation) {
    guard let delivery = due.delivery, let state = serverState else { return }
    let now = time.wall
    journal.note { store throws(StoreError) in
      try store.recordShown(
        delivery, server: state.storedName, serverNumber: Int64(number.number), keys: presentation.offer.json,
        now: now)
    }
  }
}

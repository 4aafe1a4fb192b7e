// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// What becomes of a delivery, written down with the rest of the turn: nobody waits for it.
extension Center {
  /// What has come to its end in the ledger comes to it in the store.
  func noteEnded() {
    let ended = ledger.takeEnded()
    if ended.isEmpty { return }
    let now = time.wall
    journal.note { store throws(StoreError) in
      for one in ended { try store.recordClosed(one.delivery, reason: one.reason, now: now) }
    }
  }

  func noteShown(_ due: Due, _ number: PostedNumber, _ presentation: Presentation) {
    guard let delivery = due.delivery, let state = serverState else { return }
    let now = time.wall
    journal.note { store throws(StoreError) in
      try store.recordShown(
        delivery, server: state.storedName, serverNumber: Int64(number.number), keys: presentation.offer.json,
        now: now)
    }
  }

  func noteClosed(_ due: Due, as state: DeliveryRecord.State = .closed, _ reason: String) {
    guard let delivery = due.delivery else { return }
    let now = time.wall
    journal.note { store throws(StoreError) in
      try store.recordClosed(delivery, as: state, reason: reason, now: now)
    }
  }
}

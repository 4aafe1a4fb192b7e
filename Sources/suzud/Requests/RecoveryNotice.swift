// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// The notification that reports what was lost when the store was damaged.
enum RecoveryNotice {
  /// Returns nil if nothing was lost.
  static func due(in store: Store, now: Timestamp) throws(StoreError) -> Due? {
    let recoveries = try store.recoveries()
    guard !recoveries.isEmpty else { return nil }
    for recovery in recoveries { Log.error("the store was damaged", recovery.setAside) }
    let text = recoveries.map(\.sentence).joined(separator: "\n")
    guard let request = request(text) else { return nil }
    let new = NewRequest(app: request.app.text, id: "recovery", payload: Payload.text(of: request), start: .now)
    // If the store fails, the notice is shown again after the next start.
    let record = try? store.withNeededTransaction { () throws(StoreError) in
      try store.forgetRecoveries()
      return try store.putDue([new], now: now).first
    }
    return record.map { Due(request, as: $0, asker: nil) } ?? Due(request, date: now)
  }

  private static func request(_ text: String) -> NotificationRequest? {
    try? NotificationRequest(id: "recovery", title: "Scheduled notifications had to be restored") {
      $0.body = text
      $0.level = .critical
      $0.style = .alert
    }
  }
}

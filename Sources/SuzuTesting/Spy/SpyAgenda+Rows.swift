// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling
internal import Suzu

/// Listings, in the form that the center has for them.
extension SpyAgenda {
  /// A page of a listing; of all apps if `app` is nil.
  func rows(of listing: Listing, _ app: AppID?, from offset: Int, limit: Int) -> [ListedRequest] {
    let rows: [ListedRequest] =
      switch listing {
      case .pending: pending(app).map(row)
      case .delivered: ((try? store.delivered(app: app?.text)) ?? []).map(row)
      case .history: ((try? store.history(app: app?.text)) ?? []).map(row)
      }
    return Array(rows.dropFirst(max(0, offset)).prefix(max(0, limit)))
  }

  private func row(_ stored: StoredRequest) -> ListedRequest {
    var row = ListedRequest(app: stored.app, id: stored.id, request: Payload.words(stored), state: .pending)
    row.next = stored.date.map { dates.text($0.due, zone: $0.zone) }
    return row
  }

  private func row(_ record: DeliveryRecord) -> ListedRequest {
    let stored = try? store.request(revision: record.revision)
    var row = ListedRequest(
      app: record.app, id: record.id, request: stored.flatMap { Payload.words($0) }, state: record.state.listed)
    row.due = dates.text(record.occurrence.due, zone: record.occurrence.zone)
    if record.intended > record.occurrence.due + 60_000 { row.noticed = dates.text(record.intended, zone: nil) }
    row.missed = Int(record.missed)
    row.shown = record.posted.map { dates.text($0, zone: nil) }
    row.note(record, dates)
    row.event = record.event.mapValues { .text($0) }
    if let response = responses.response(to: record.number) {
      row.add(
        action: response.response.action, reply: response.response.reply,
        outcome: (response.outcome ?? .waiting("app")).description)
    }
    return row
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling
internal import Suzu

/// Listings, in the form that the center has for them.
extension SpyAgenda {
  /// A page of a listing; of all apps if `app` is nil.
  func rows(
    of listing: Listing, _ app: AppID?, _ filter: ListingFilter, after cursor: ListingCursor?, limit: Int
  ) throws(SuzuError) -> ListedPage {
    let place = cursor.map { ListingPlace($0.text) }
    if case .some(.none) = place { throw SuzuError(refused: .invalidRequest, "'after' is not a cursor of this list") }
    if listing == .pending, filter.since != nil {
      throw SuzuError(refused: .invalidRequest, "'since' is for Delivered and History")
    }
    let all = behind(place ?? nil, of: listing, app, since: filter.since)
    let search = filter.search.flatMap(TextSearch.init)
    let wanted = all.filter { search?.finds($0.row) ?? true }
    let rows = wanted.prefix(max(0, limit))
    return ListedPage(
      rows.map { $0.row }, next: rows.count < wanted.count ? rows.last.map { ListingCursor($0.place.description) } : nil
    )
  }

  private func behind(
    _ place: ListingPlace?, of listing: Listing, _ app: AppID?, since: Int64?
  ) -> [(place: ListingPlace, row: ListedRequest)] {
    var walk = ListingWalk(app: app?.text, behind: place)
    let all = PageLimit(rows: .max, bytes: .max, steps: .max)
    let start = since.map { Timestamp(milliseconds: $0 * 1000) } ?? .distantPast
    let records: [DeliveryRecord]?
    switch listing {
    case .pending:
      return ((try? store.pending(&walk, all)) ?? []).map { (place: ListingPlace(behind: $0), row: row($0)) }
    case .delivered: records = try? store.delivered(&walk, all)
    case .history: records = try? store.history(&walk, all)
    }
    return (records ?? []).filter { $0.moment >= start }.map { (place: ListingPlace(behind: $0), row: row($0)) }
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

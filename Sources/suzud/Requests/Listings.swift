// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Lists requests as they were made, and their history.
final class Listings {
  private let loop: EventLoop
  private let store: Store
  private let journal: Journal
  private let dates: DateText
  private let scheduler: Scheduler
  private let apps: Apps
  private let waiting: WaitingResponses
  private let link: ServerLink
  private let held: HeldRequests
  private let outbox: Outbox

  init(
    on loop: EventLoop, store: Store, journal: Journal, dates: DateText, scheduler: Scheduler, apps: Apps,
    waiting: WaitingResponses, link: ServerLink, held: HeldRequests, outbox: Outbox
  ) {
    self.loop = loop
    self.store = store
    self.journal = journal
    self.dates = dates
    self.scheduler = scheduler
    self.apps = apps
    self.waiting = waiting
    self.link = link
    self.held = held
    self.outbox = outbox
  }

  /// A page of a list.
  ///
  /// - Parameter encode: returns the encoded row and its size in bytes.
  func list<Encoded>(
    _ kind: ListingKind, _ page: Page, encode: (ListedRequest) -> (Encoded, bytes: Int)
  ) async throws(CenterError) -> PageRows<Encoded> {
    switch kind {
    case .pending:
      try await list(kind, page, encode) { (walk, limit) throws(StoreError) in
        try store.pending(&walk, limit).map { (ListingPlace(behind: $0), $0) }
      } row: { stored in
        .row(row(stored, for: page.reader))
      }
    case .delivered:
      try await list(kind, page, encode) { (walk, limit) throws(StoreError) in
        try store.delivered(&walk, limit).map { (ListingPlace(behind: $0), $0) }
      } row: { (record) throws(StoreError) in
        try found(record, page)
      }
    case .history:
      try await list(kind, page, encode) { (walk, limit) throws(StoreError) in
        try store.history(&walk, limit).map { (ListingPlace(behind: $0), $0) }
      } row: { (record) throws(StoreError) in
        let found = try found(record, page)
        return if case .row(let row) = found { .row(row.withoutHeaders) } else { found }
      }
    }
  }

  /// What a stored row is for a page.
  private enum Found {
    case row(ListedRequest)
    /// The reader may not see it, or did not ask for it.
    case nothing
    /// Neither this row nor any that follows belongs to the page.
    case end
  }

  private func found(_ record: DeliveryRecord, _ page: Page) throws(StoreError) -> Found {
    if page.isOver(at: record) { return .end }
    if let since = page.since, record.moment < since { return .nothing }
    guard let row = try self.row(record, for: page.reader) else { return .nothing }
    return .row(row)
  }

  /// Reads a page: no more rows than fit into ``Page/mostBytes``, and none if the call has looked at enough of the list
  /// without finding one.
  private func list<Stored, Encoded>(
    _ kind: ListingKind, _ page: Page, _ encode: (ListedRequest) -> (Encoded, bytes: Int),
    rows read: (inout ListingWalk, PageLimit) throws(StoreError) -> [(ListingPlace, Stored)],
    row: (Stored) throws(StoreError) -> Found
  ) async throws(CenterError) -> PageRows<Encoded> {
    await journal.waitForWrites(on: loop)
    // A search reads on behind the rows that do not match, so it looks at full pages.
    let limit = PageLimit(rows: page.search == nil ? page.limit : Page.most, bytes: Page.mostBytes)
    var walk = ListingWalk(app: page.app, behind: page.after)
    var answer = PageRows<Encoded>()
    var room = Page.mostBytes
    do throws(StoreError) {
      for _ in 0..<Page.mostReads {
        let rows = try read(&walk, limit)
        var slices = loop.slices
        for (place, stored) in rows {
          await slices.pause()
          switch try row(stored) {
          case .end:
            answer.next = ""
            return answer
          case .nothing: break
          case .row(let row) where page.search?.finds(row) == false: break
          case .row(let row):
            let (one, bytes) = encode(row)
            room -= bytes
            if room < 0 && !answer.rows.isEmpty { return answer }
            answer.rows.append(one)
          }
          // The end of this page, if the next row does not fit.
          answer.next = PageCursor.text(place, of: kind, for: page.reader)
          if answer.rows.count == page.limit { return answer }
        }
        if walk.isAtEnd {
          answer.next = ""
          return answer
        }
        if let place = walk.place { answer.next = PageCursor.text(place, of: kind, for: page.reader) }
        if page.search == nil, !answer.rows.isEmpty { return answer }
        // Other callers get a turn before the search continues.
        await loop.nextTurn()
      }
      return answer
    } catch {
      throw CenterError(error)
    }
  }

  /// Why the dates of a request came, came late or did not come: the pending request with this id, and its dates that
  /// have come, the latest first.
  func reasons<Encoded>(
    _ app: String, _ id: String, limit: Int, for reader: Rights, encode: (ListedRequest) -> (Encoded, bytes: Int)
  ) async throws(CenterError) -> [Encoded] {
    await journal.waitForWrites(on: loop)
    do throws(StoreError) {
      var rows: [(ListedRequest, isAllowed: Bool?)] = []
      if let stored = try store.request(app: app, id: id), stored.state == .pending {
        rows.append((row(stored, for: reader), isAllowed(stored)))
      }
      for record in try store.deliveries(app: app, id: id, limit: limit) {
        guard let past = try row(record, for: reader)?.withoutHeaders else { continue }
        rows.append((past, try store.request(revision: record.revision).map(isAllowed) ?? true))
      }
      var encoded: [Encoded] = []
      var room = Page.mostBytes
      for (var row, isAllowed) in rows {
        let reason = Reason(
          row, isAllowed: isAllowed, isBeingShown: link.isShowing(RequestKey(app: row.app, id: row.id)))
        (row.why, row.late) = (reason.text, reason.late)
        let (one, bytes) = encode(row)
        room -= bytes
        if room < 0 && !encoded.isEmpty { break }
        encoded.append(one)
      }
      return encoded
    } catch {
      throw CenterError(error)
    }
  }

  /// Whether the user lets the app show this request; nil if the user is still to be asked, as ``Permissions`` does.
  private func isAllowed(_ stored: StoredRequest) -> Bool? {
    let settings = apps[stored.app]
    return Rights(asker: stored.asker) != .all && !settings.isDecided ? nil : settings.allowed.contains(.alert)
  }

  // MARK: Rows

  /// Whether the reader may know whether the condition of a request holds: a sandboxed one, if the user lets it.
  private func maySeeStanding(of stored: StoredRequest, _ reader: Rights) -> Bool {
    reader == .all || reader.asker == stored.asker && mayLearn(of: stored, reader)
  }

  /// Whether the reader may know when the condition of its own request was met.
  private func mayLearn(of stored: StoredRequest, _ reader: Rights) -> Bool {
    guard reader != .all, reader.asker == stored.asker else { return true }
    guard let request = Payload.request(stored) else { return false }
    return request.sense.map(apps[stored.app].allowed.contains) ?? true
  }

  private func row(_ stored: StoredRequest, for reader: Rights) -> ListedRequest {
    var row = ListedRequest(app: stored.app, id: stored.id, request: request(stored, for: reader), state: .pending)
    row.next = stored.date.map { dates.text($0.due, zone: $0.zone) }
    if stored.wait == .condition, maySeeStanding(of: stored, reader),
      let standing = scheduler.standing(of: stored.revision)
    {
      row.holds = standing.holds
      row.obstacle = standing.obstacle
      row.met = standing.met.map { dates.text($0, zone: nil) }
      row.folded = standing.folded
    }
    return row
  }

  /// Returns nil if the date alone would tell the reader what the user does not let it know.
  private func row(_ record: DeliveryRecord, for reader: Rights) throws(StoreError) -> ListedRequest? {
    let stored = try store.request(revision: record.revision)
    if let stored, !mayLearn(of: stored, reader) { return nil }
    var row = ListedRequest(
      app: record.app, id: record.id, request: stored.flatMap { request($0, for: reader) }, state: record.state.listed)
    row.due = dates.text(record.occurrence.due, zone: record.occurrence.zone)
    if record.intended > record.occurrence.due + 60_000 { row.noticed = dates.text(record.intended, zone: nil) }
    row.missed = Int(record.missed)
    row.shown = record.posted.map { dates.text($0, zone: nil) }
    row.note(record, dates)
    // One that is shown again may have been answered where it was shown before.
    let release = record.state == .intent ? held.release(of: record.number) : nil
    row.held = release.map { release in
      switch release {
      case .at(let date): dates.text(date, zone: nil)
      case .unlocked: ListedRequest.back
      // When the user sleeps is not for sandboxed programs.
      case .quiet where reader != .all: ListedRequest.quietOff
      case .quiet(.at(let seconds)): dates.text(Timestamp(milliseconds: seconds * 1000), zone: nil)
      case .quiet(.whenTurnedOff): ListedRequest.quietOff
      case .quiet(.whenDesktopAllows): ListedRequest.desktop
      }
    }
    guard reader == .all || reader.asker == stored?.asker else { return row }
    row.event = record.event.mapValues { .text($0) }
    if record.showings != nil { row.pushes = try outbox.pushes(of: record.number, dates) }
    if let response = try store.responses(to: record.number).last {
      // A response without an outcome waits or runs.
      let outcome =
        response.outcome ?? waiting.reason(of: response.number).map { Outcome.waiting($0).description }
        ?? "running"
      row.add(
        action: response.action, reply: response.reply,
        outcome: reader == .all ? outcome : Outcome(outcome).forSandbox.description)
    } else if let action = waiting.actionWithoutText(of: record.number) {
      row.add(action: action, reply: nil, outcome: Outcome.waiting("text").description)
    }
    return row
  }

  /// Returns nil if the reader may not see the request, or it cannot be read.
  private func request(_ stored: StoredRequest, for reader: Rights) -> [String: PlainValue]? {
    reader == .all || reader.asker == stored.asker ? Payload.words(stored) : nil
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Scheduling
internal import Zoneinfo

/// Which part of a list is wanted.
struct Page {
  /// Nil: of every app.
  var app: String?
  /// Who reads it; nil: the walk is not remembered.
  var caller: BusName?
  /// Whose call it is: a sandboxed program sees what it made itself, and of the rest in its app's name ids and times.
  var reader = Rights.none
  let offset: Int
  let limit: Int

  init(_ arguments: [Value]) throws(RemoteError) {
    guard arguments.count == 3, case .string(let app) = arguments[0], case .uint32(let offset) = arguments[1],
      case .uint32(let limit) = arguments[2]
    else { throw RemoteError(.invalidArgs, "the arguments do not fit the method") }
    self.app = app.isEmpty ? nil : app
    self.offset = Int(offset)
    self.limit = limit == 0 ? Self.most : min(Int(limit), Self.most)
  }

  /// How many rows one answer holds.
  static let most = 1000
  /// How many bytes one answer holds, unless its only row is longer: a list on the bus has at most 64 MiB, and what is
  /// read in one turn of the loop must take far less than 50 ms.
  static let mostBytes = 1 << 20
}

/// Requests in the words that they were made in, and what happened to them.
extension Center {
  /// What has yet to come, nearest first.
  func pending(_ page: Page) async throws(RemoteError) -> Value {
    try await list(.pending, page) { (walk, limit) throws(StoreError) in
      try store.pending(&walk, limit).map { (ListingPlace(behind: $0), $0) }
    } row: { stored in
      var words = words(of: stored, id: stored.id, for: page.reader)
      words["state"] = "pending"
      if let next = stored.next { words["next"] = .string(text(next.due, zone: next.zone)) }
      return .properties(words)
    }
  }

  /// What is on the screen, newest first.
  func delivered(_ page: Page) async throws(RemoteError) -> Value {
    try await list(.delivered, page) { (walk, limit) throws(StoreError) in
      try store.delivered(&walk, limit).map { (ListingPlace(behind: $0), $0) }
    } row: { (record) throws(StoreError) in
      try entry(record, for: page.reader)
    }
  }

  /// What happened to dates, newest first.
  func history(_ page: Page) async throws(RemoteError) -> Value {
    try await list(.history, page) { (walk, limit) throws(StoreError) in
      try store.history(&walk, limit).map { (ListingPlace(behind: $0), $0) }
    } row: { (record) throws(StoreError) in
      try entry(record, for: page.reader)
    }
  }

  /// Reads a page: at least one row where there is one, and no more than fit into ``Page/mostBytes``.
  private func list<Row>(
    _ kind: ListingWalks.Kind, _ page: Page,
    rows read: (inout ListingWalk, PageLimit) throws(StoreError) -> [(ListingPlace, Row)],
    row value: (Row) throws(StoreError) -> Value
  ) async throws(RemoteError) -> Value {
    // What happened in this turn belongs to it.
    journal.flush()
    let limit = PageLimit(rows: page.limit, bytes: Page.mostBytes)
    var walk = walks.walk(kind, page, now: EventLoop.Clock.monotonic.now)
    do throws(StoreError) {
      while true {
        let rows = try read(&walk, limit)
        if rows.isEmpty && !walk.isAtEnd {
          // Others have their turn before the search goes on.
          await loop.nextTurn()
          continue
        }
        var values: [Value] = []
        var room = Page.mostBytes
        for (place, row) in rows {
          let value = try value(row)
          room -= (try? value.encodedSize()) ?? 0
          if room < 0 && !values.isEmpty { break }
          values.append(value)
          walk.place = place
        }
        if let place = walk.place, !values.isEmpty {
          walks.keep(kind, page, count: values.count, at: place, now: EventLoop.Clock.monotonic.now)
        }
        return .array(of: .properties, values)
      }
    } catch {
      throw RemoteError(error)
    }
  }

  private func entry(_ record: DeliveryRecord, for reader: Rights) throws(StoreError) -> Value {
    var words: [String: Value] = ["app": .string(record.app), "id": .string(record.id)]
    let stored = try store.request(revision: record.revision)
    if let stored { words = self.words(of: stored, id: record.id, for: reader) }
    words["state"] = .string(record.state.word)
    words["due"] = .string(text(record.occurrence.due, zone: record.occurrence.zone))
    if record.missed > 0 { words["missed"] = .int64(record.missed) }
    if let posted = record.posted { words["shown"] = .string(text(posted, zone: nil)) }
    if let closed = record.closed { words["closed"] = .string(text(closed, zone: nil)) }
    if let reason = record.reason { words["reason"] = .string(reason) }
    if reader == .all || reader.asker == stored?.asker, let response = try store.responses(to: record.number).last {
      words["action"] = .string(response.action)
      if let reply = response.reply { words["reply"] = .string(reply) }
      // What has none waits, or is being done.
      let outcome = response.outcome ?? (response.state == .committed ? "waiting" : "running")
      words["outcome"] = .string(reader == .all ? outcome : Outcome(outcome).forSandbox.description)
    }
    return .properties(words)
  }

  private func words(of stored: StoredRequest, id: String, for reader: Rights) -> [String: Value] {
    guard reader == .all || reader.asker == stored.asker, var request = Payload.request(stored) else {
      return ["app": .string(stored.app), "id": .string(id)]
    }
    request.id = id
    return (try? ValueEncoder().encodeProperties(request)) ?? [:]
  }

  /// The date that was due; nil for what was to be shown at once.
  func text(of due: Due) -> String? {
    due.request.when.isEmpty ? nil : text(due.date, zone: due.request.when.zone)
  }

  /// RFC 3339, as the clocks of the zone show it.
  func text(_ milliseconds: Int64, zone: String?) -> String {
    let instant = Instant(milliseconds / 1000)
    let rules = (try? zones.rules(zone)) ?? .utc
    return instant.rfc3339(at: rules.offset(at: instant)) ?? instant.description
  }
}

extension DeliveryRecord.State {
  /// As listings name it.
  fileprivate var word: String {
    switch self {
    case .intent: "due"
    case .shown: "delivered"
    case .closed: "closed"
    case .expired: "expired"
    case .skipped: "skipped"
    case .folded: "folded"
    case .failed: "failed"
    }
  }
}

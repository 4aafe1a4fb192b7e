// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import NotificationModel
internal import Scheduling
internal import Zoneinfo

/// Which part of a list is wanted.
struct Page {
  /// Nil: of every app.
  var app: String?
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
    // Whoever wants more asks again: one answer must stay far from what a bus carries.
    self.limit = limit == 0 ? 1000 : min(Int(limit), 1000)
  }
}

/// What the center knows, for whoever asks: requests in the words that they were made in, and what became of them.
extension Center {
  /// What has yet to come, nearest first.
  func pending(_ page: Page) throws(RemoteError) -> Value {
    try list { () throws(StoreError) in
      try store.pending(app: page.app, offset: page.offset, limit: page.limit).map { stored in
        var words = self.words(of: stored, id: stored.id, for: page.reader)
        words["state"] = "pending"
        if let next = stored.next { words["next"] = .string(self.text(next.due, zone: next.zone)) }
        return .properties(words)
      }
    }
  }

  /// What is on the screen, newest first.
  func delivered(_ page: Page) throws(RemoteError) -> Value {
    try list { () throws(StoreError) in
      try store.delivered(app: page.app, offset: page.offset, limit: page.limit)
        .map { record throws(StoreError) in try entry(record, for: page.reader) }
    }
  }

  /// What became of dates, newest first.
  func history(_ page: Page) throws(RemoteError) -> Value {
    try list { () throws(StoreError) in
      try store.history(app: page.app, offset: page.offset, limit: page.limit)
        .map { record throws(StoreError) in try entry(record, for: page.reader) }
    }
  }

  private func list(_ body: () throws(StoreError) -> [Value]) throws(RemoteError) -> Value {
    // What happened in this turn belongs to it.
    journal.flush()
    do throws(StoreError) { return .array(of: .properties, try body()) } catch { throw RemoteError(error) }
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

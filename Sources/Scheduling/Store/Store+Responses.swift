// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

extension Store {
  /// Stores the user's response before its action begins, and assigns its number.
  ///
  /// - Parameter begins: whether the action begins as soon as this is on disk, so that no second write is needed.
  public func commitResponse(
    to delivery: DeliveryRecord, action: String, reply: String?, begins: Bool = false, now: Timestamp
  ) throws(StoreError) -> ResponseRecord {
    try commitResponse(now) { number in
      ResponseRecord(
        number: number, delivery: delivery.number, revision: delivery.revision, app: delivery.app, id: delivery.id,
        action: action, reply: reply, due: delivery.occurrence.due, state: begins ? .running : .committed,
        committed: now)
    }
  }

  /// Stores a response to a delivery of this run, whose record is in memory.
  ///
  /// Returns nil if the delivery is not in the store.
  ///
  /// - Parameter number: its number, if it has one: that of ``reserveResponse()``.
  public func commitResponse(
    to due: Due, action: String, reply: String?, begins: Bool = false, as number: ResponseRecord.Number? = nil,
    now: Timestamp
  ) throws(StoreError) -> ResponseRecord? {
    guard let record = due.record, let id = due.request.id?.text else { return nil }
    if due.request.content.nag != nil {
      return try withNeededTransaction { () throws(StoreError) in
        try recordNoMore(record.delivery, because: .withdrawn, now: now)
        return try commitResponse(to: record, of: due, id, action, reply, begins, number, now)
      }
    }
    return try commitResponse(to: record, of: due, id, action, reply, begins, number, now)
  }

  private func commitResponse(
    to record: Due.Record, of due: Due, _ id: String, _ action: String, _ reply: String?, _ begins: Bool,
    _ number: ResponseRecord.Number?, _ now: Timestamp
  ) throws(StoreError) -> ResponseRecord {
    try commitResponse(now, as: number) { number in
      ResponseRecord(
        number: number, delivery: record.delivery, revision: record.revision, app: due.request.app.text, id: id,
        action: action, reply: reply, due: due.date, state: begins ? .running : .committed, committed: now)
    }
  }

  /// Stores a response to a request that is not on the screen.
  public func commitResponse(
    to request: StoredRequest, action: String, reply: String?, now: Timestamp
  ) throws(StoreError) -> ResponseRecord {
    try commitResponse(now) { number in
      ResponseRecord(
        number: number, delivery: nil, revision: request.revision, app: request.app, id: request.id, action: action,
        reply: reply, due: request.date?.due, state: .committed, committed: now)
    }
  }

  /// Assigns the number of a response that the disk did not take, so that the response can be told before it is stored.
  public func reserveResponse() -> ResponseRecord.Number {
    lastReserved = max(lastReserved, counter.response)
    return lastReserved.next()
  }

  private func commitResponse(
    _ now: Timestamp, as number: ResponseRecord.Number? = nil, _ make: (ResponseRecord.Number) -> ResponseRecord
  ) throws(StoreError) -> ResponseRecord {
    try write(.needed) { database throws(StoreError) in
      var last = max(change?.counter.response ?? .none, lastReserved)
      let response = make(number ?? last.next())
      change?.counter.response = last
      try database.run(Table.response.insert, Table.response.checked(response.values))
      if let reply = response.reply { change?.charge(response.app) { $0.replyBytes += Int64(reply.utf8.count) } }
      return response
    }
  }

  /// Marks the action as begun. Returns false if it had begun before: it must not run again.
  public func markRunning(_ number: ResponseRecord.Number) throws(StoreError) -> Bool {
    try changeResponse(number) { response in
      guard response.state == .committed else { return false }
      response.state = .running
      return true
    }
  }

  /// Marks an action as not begun: nothing of it was done, so it may begin again.
  public func markNotBegun(_ number: ResponseRecord.Number) throws(StoreError) {
    _ = try changeResponse(number) { response in
      guard response.state == .running else { return false }
      response.state = .committed
      return true
    }
  }

  /// Stores the outcome. Only the first one counts.
  public func finish(_ number: ResponseRecord.Number, outcome: String, now: Timestamp) throws(StoreError) {
    _ = try changeResponse(number) { response in
      guard response.state != .finished else { return false }
      response.state = .finished
      response.finished = now
      response.outcome = outcome
      return true
    }
  }

  private func changeResponse(
    _ number: ResponseRecord.Number, _ body: (inout ResponseRecord) -> Bool
  ) throws(StoreError) -> Bool {
    try write(.needed) { database throws(StoreError) in
      guard var response = try Self.responses(" WHERE number = ?", [SQLValue(number)], in: database).first else {
        throw StoreError(.notFound, "no response has the number \(number)")
      }
      guard body(&response) else { return false }
      try database.run(Table.response.replace, Table.response.checked(response.values))
      return true
    }
  }

  private static func responses(
    _ rest: String, _ values: [SQLValue] = [], in database: Database
  ) throws(StoreError) -> [ResponseRecord] {
    try database.rows(Table.response.select + rest, values, ResponseRecord.init)
  }

  /// Responses without an outcome, oldest first. After a start, those that were running have been interrupted.
  public func unfinishedResponses() throws(StoreError) -> [ResponseRecord] {
    try read { database throws(StoreError) in
      try Self.responses(" INDEXED BY response_open WHERE state < 2 ORDER BY number", in: database)
    }
  }

  /// The responses to one delivery, oldest first.
  public func responses(to delivery: DeliveryRecord.Number) throws(StoreError) -> [ResponseRecord] {
    try read { database throws(StoreError) in
      try Self.responses(" WHERE delivery = ? ORDER BY number", [SQLValue(delivery)], in: database)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// Messages to servers elsewhere.
extension Store {
  /// How long a message may wait to be sent, in milliseconds.
  public static let outgoingAge: Int64 = 86_400_000
  /// How many messages may wait at the same time.
  public static let mostOutgoing: Int64 = 1000

  /// Stores what the steps of a delivery's escalation send that have come. What has been stored before stays as it is.
  /// Returns whether anything is new.
  @discardableResult
  public func queuePushes(
    of delivery: DeliveryRecord.Number, app: String, _ nag: Nag, at step: Int, now: Timestamp
  ) throws(StoreError) -> Bool {
    let pushes = nag.pushes(at: step)
    if pushes.isEmpty { return false }
    return try write(.needed) { database throws(StoreError) in
      var isAnyNew = false
      for (step, target) in pushes {
        var record = OutgoingRecord(
          number: try nextOutgoing(now, in: database), app: app,
          subject: .step(step, of: delivery, link: target.name), queued: now, state: .waiting, settled: nil, detail: nil
        )
        if try isOutboxFull(database) {
          (record.state, record.settled) = (.failed, now)
          record.detail = "too much waits to be sent already"
        }
        let isNew =
          try database.run(Table.outbox.insert + " ON CONFLICT DO NOTHING", Table.outbox.checked(record.values)) > 0
        if isNew, record.state == .waiting {
          isAnyNew = true
          mayHaveOutgoing = true
        }
      }
      return isAnyNew
    }
  }

  /// Stores a call that the action of a response makes, once. Returns it, as it was stored first; nil if too much
  /// waits.
  public func queueCall(
    of response: ResponseRecord.Number, app: String, content: String, now: Timestamp
  ) throws(StoreError) -> OutgoingRecord? {
    try write(.needed) { database throws(StoreError) in
      let earlier = try Self.outgoing(
        " INDEXED BY outbox_response WHERE response = ? AND response IS NOT NULL", [SQLValue(response)], in: database)
      if let earlier = earlier.first { return earlier }
      if try isOutboxFull(database) { return nil }
      let record = OutgoingRecord(
        number: try nextOutgoing(now, in: database), app: app, subject: .call(response, content: content), queued: now,
        state: .waiting, settled: nil, detail: nil)
      try database.run(Table.outbox.insert, Table.outbox.checked(record.values))
      mayHaveOutgoing = true
      return record
    }
  }

  /// Stores something else that is to be sent, unless it is stored already or too much waits. Returns whether it did.
  func queue(
    _ subject: OutgoingRecord.Subject, _ app: String, _ now: Timestamp, in database: Database
  ) throws(StoreError) -> Bool {
    if try isOutboxFull(database) { return false }
    let record = OutgoingRecord(
      number: try nextOutgoing(now, in: database), app: app, subject: subject, queued: now, state: .waiting,
      settled: nil, detail: nil)
    guard try database.run(Table.outbox.insert + " ON CONFLICT DO NOTHING", Table.outbox.checked(record.values)) > 0
    else { return false }
    mayHaveOutgoing = true
    return true
  }

  /// The time makes a number that is not used again after its row has been deleted.
  private func nextOutgoing(_ now: Timestamp, in database: Database) throws(StoreError) -> OutgoingRecord.Number {
    OutgoingRecord.Number(max((try database.number("SELECT max(number) FROM outbox") ?? 0) + 1, now.milliseconds))
  }

  private func isOutboxFull(_ database: Database) throws(StoreError) -> Bool {
    try database.number("SELECT count(*) FROM outbox INDEXED BY outbox_open WHERE state = 0") ?? 0 >= Self.mostOutgoing
  }

  /// The messages that wait to be sent, oldest first. Those that have lapsed, and those of notifications that have
  /// ended, are settled before.
  public func outgoing(now: Timestamp) throws(StoreError) -> [OutgoingRecord] {
    var left: [OutgoingRecord] = []
    var over: [(OutgoingRecord, OutgoingRecord.State)] = []
    try read { database throws(StoreError) in
      (left, over) = ([], [])
      for record in try Self.outgoing(" INDEXED BY outbox_open WHERE state = 0 ORDER BY number", in: database) {
        // The center ends a call, with the outcome of its response.
        if !record.isCall, let state = try reason(against: record, now: now, in: database) {
          over.append((record, state))
        } else if !record.hasLapsed(at: now) {
          left.append(record)
        }
      }
    }
    if !over.isEmpty {
      try write(.needed) { database throws(StoreError) in
        for (record, state) in over { try settle(record, as: state, nil, now: now, in: database) }
      }
    }
    return left
  }

  /// A message that waits to be sent; nil if it no longer does.
  public func outgoing(_ number: OutgoingRecord.Number, now: Timestamp) throws(StoreError) -> OutgoingRecord? {
    try read { database throws(StoreError) in
      let found = try Self.outgoing(" WHERE number = ? AND state = 0", [SQLValue(number)], in: database).first
      guard let found, try reason(against: found, now: now, in: database) == nil else { return nil }
      return found
    }
  }

  /// Records the result of a message, and with a call the outcome of its response. Only the first call counts; returns
  /// whether this was it.
  @discardableResult
  public func settleOutgoing(
    _ number: OutgoingRecord.Number, as state: OutgoingRecord.State, detail: String?, now: Timestamp
  ) throws(StoreError) -> Bool {
    try write(.needed) { database throws(StoreError) in
      let found = try Self.outgoing(" WHERE number = ? AND state = 0", [SQLValue(number)], in: database).first
      guard let found else { return false }
      try settle(found, as: state, detail, now: now, in: database)
      if case .call(let response, _) = found.subject {
        try finish(response, outcome: state.outcome(detail).description, now: now)
      }
      return true
    }
  }

  /// The messages of a delivery, in the order of their steps. The state of one that would no longer be sent says so.
  public func outgoing(of delivery: DeliveryRecord.Number, now: Timestamp) throws(StoreError) -> [OutgoingRecord] {
    try read { database throws(StoreError) in
      var records = try Self.outgoing(
        " INDEXED BY outbox_step WHERE delivery = ? AND step IS NOT NULL ORDER BY step, number", [SQLValue(delivery)],
        in: database)
      for index in records.indices where records[index].state == .waiting {
        if let state = try reason(against: records[index], now: now, in: database) { records[index].state = state }
      }
      return records
    }
  }

  /// Settles the waiting messages of a delivery as unneeded.
  func settleUnneeded(of delivery: DeliveryRecord.Number, now: Timestamp, in database: Database) throws(StoreError) {
    guard mayHaveOutgoing else { return }
    let waiting = try Self.outgoing(
      " INDEXED BY outbox_step WHERE delivery = ? AND step IS NOT NULL AND state = 0", [SQLValue(delivery)],
      in: database)
    for record in waiting { try settle(record, as: .unneeded, nil, now: now, in: database) }
  }

  /// Whether a message waits in the store as it was opened.
  func findsOutgoing() throws(StoreError) -> Bool {
    try read { database throws(StoreError) in
      try database.number("SELECT 1 FROM outbox INDEXED BY outbox_open WHERE state = 0 LIMIT 1") != nil
    }
  }

  /// Deletes the rows whose deliveries have been deleted, at most `limit`; returns how many.
  func purgeOutgoing(limit: Int, in database: Database) throws(StoreError) -> Int {
    try database.run(
      """
      DELETE FROM outbox WHERE number IN (SELECT number FROM outbox NOT INDEXED WHERE step IS NOT NULL AND NOT EXISTS \
      (SELECT 1 FROM delivery WHERE delivery.number = outbox.delivery) ORDER BY number LIMIT ?)
      """, [.integer(Int64(limit))])
  }

  // MARK: Rows

  /// The state of a message that is no longer to be sent; nil if it is to be sent.
  private func reason(
    against record: OutgoingRecord, now: Timestamp, in database: Database
  ) throws(StoreError) -> OutgoingRecord.State? {
    // The call of a click is made even if the notification has ended.
    if case .step(_, let number, _) = record.subject {
      let delivery = try Self.delivery(number, in: database)
      guard let delivery, delivery.state == .intent || delivery.state == .shown,
        try database.number("SELECT 1 FROM response WHERE delivery = ? LIMIT 1", [SQLValue(number)]) == nil
      else { return .unneeded }
    }
    return record.hasLapsed(at: now) ? .lapsed : nil
  }

  private func settle(
    _ record: OutgoingRecord, as state: OutgoingRecord.State, _ detail: String?, now: Timestamp, in database: Database
  ) throws(StoreError) {
    if record.step == nil {
      // Its texts are private.
      try database.run("DELETE FROM outbox WHERE number = ?", [SQLValue(record.number)])
      return
    }
    var record = record
    (record.state, record.settled, record.detail) = (state, now, detail)
    try database.run(Table.outbox.replace, Table.outbox.checked(record.values))
  }

  private static func outgoing(
    _ rest: String, _ values: [SQLValue] = [], in database: Database
  ) throws(StoreError) -> [OutgoingRecord] {
    try database.rows(Table.outbox.select + rest, values, OutgoingRecord.init)
  }
}

extension OutgoingRecord.State {
  /// The outcome of the response whose action has made a call that ended so.
  public func outcome(_ detail: String?) -> Outcome {
    switch self {
    case .sent: .done
    case .failed: .failed(detail ?? "the call failed")
    case .lapsed: .lapsed("could not be sent within a day")
    case .waiting: .waiting("network")
    case .unneeded: .lapsed("not needed")
    }
  }
}

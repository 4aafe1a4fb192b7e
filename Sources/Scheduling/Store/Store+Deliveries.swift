// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

extension Store {
  /// Records that a date of a request is about to be shown, or will not be. Returns nil if the date was already
  /// handled.
  ///
  /// - Parameters:
  ///   - missed: the number of earlier dates that this delivery includes.
  ///   - event: what happened, if it waited for a condition.
  ///   - reason: why it is not shown, if the state does not tell.
  ///   - noted: the number that ``noteIntent(_:)`` gave it.
  public func recordIntent(
    _ occurrence: PlannedDate, of request: StoredRequest, as state: DeliveryRecord.State = .intent,
    missed: Int64 = 0, event: EventDetails = [:], reason: String? = nil, now: Timestamp,
    noted: DeliveryRecord.Number? = nil
  ) throws(StoreError) -> DeliveryRecord? {
    try write(.needed) { database throws(StoreError) in
      var last = max(change?.counter.delivery ?? .none, lastNoted)
      let number = noted ?? last.next()
      var record = DeliveryRecord(
        number: number, revision: request.revision, app: request.app, id: request.id,
        occurrence: DeliveryRecord.identity(of: occurrence, of: request), state: state, missed: missed, intended: now,
        reason: reason, eventText: DeliveryRecord.text(of: event.dictionary))
      if state == .closed { record.closed = now }
      let isNew =
        try database.run(Table.delivery.insert + " ON CONFLICT DO NOTHING", Table.delivery.checked(record.values)) > 0
      guard isNew else { return nil }
      change?.counter.delivery = max(last, number)
      change?.charge(record.app) {
        $0.historyRows += 1
        $0.historyBytes += record.size
      }
      return record
    }
  }

  /// Records that a request ended before its next date. That date does not count as handled: a later request with the
  /// same id may have it, too.
  func recordNeverShown(_ request: StoredRequest, as end: RequestEnd, now: Timestamp) throws(StoreError) {
    _ = try recordIntent(
      PlannedDate(due: request.date?.due ?? now), of: request, as: .closed, reason: end.rawValue, now: now)
  }

  /// Records that the server has shown the delivery and assigned a number.
  ///
  /// - Parameter nag: how it is shown again until it is answered; nil if it is not, or if this is no new showing.
  public func recordShown(
    _ number: DeliveryRecord.Number, server: String, serverNumber: Int64, keys: String?, nag: NagPlan? = nil,
    now: Timestamp
  ) throws(StoreError) {
    try changeDelivery(number, wakes: nag?.wakes ?? false) { record in
      // One that is on the screen may be posted again, to change it there.
      let isOnScreen = record.state == .shown && record.posted != nil
      record.state = .shown
      record.server = server
      record.serverNumber = serverNumber
      record.keys = keys
      record.closed = nil
      record.reason = nil
      guard let nag, record.again == nil else {
        // The first time, which tells how late it was.
        if record.showingsText == nil, !isOnScreen { record.posted = now }
        return
      }
      var showings = record.showings ?? Showings()
      if showings.count == 0 { record.posted = now }
      showings.add(nag.step, of: nag.nag, at: now)
      record.showings = showings
      record.again = showings.pause(of: nag.nag).map { now + $0 }
    }
  }

  /// Records that the delivery has left the screen, or will never be shown. Only the first call counts.
  public func recordClosed(
    _ number: DeliveryRecord.Number, as state: DeliveryRecord.State = .closed, reason: String?, now: Timestamp
  ) throws(StoreError) {
    try changeDelivery(number) { record in
      guard record.state == .intent || record.state == .shown else { return }
      record.state = state
      record.closed = now
      record.reason = reason
      record.again = nil
    }
  }

  /// Records that deliveries end before they are shown, in the commit that ends them.
  public func recordNeverShown(
    _ numbers: [DeliveryRecord.Number], as end: RequestEnd, now: Timestamp
  ) throws(StoreError) {
    // One that is shown before the commit of its record is not there yet.
    for number in numbers where try delivery(number) != nil {
      try recordClosed(number, as: end.state, reason: end.rawValue, now: now)
    }
  }

  /// Records that the delivery must be shown again: its server ended, or it is unknown whether it was shown.
  public func recordLost(_ number: DeliveryRecord.Number) throws(StoreError) {
    try changeDelivery(number) { record in
      record.state = .intent
      record.server = nil
      record.serverNumber = nil
    }
  }

  /// Deliveries that have left the screen of a server since a moment and can still be answered from its history, newest
  /// first.
  ///
  /// - Parameter number: reads only deliveries before this one, at most `steps` of them; nil for all. `next` is the
  ///   number to continue at, nil at the end.
  public func answerable(
    app: String, server: String, since: Timestamp, before number: DeliveryRecord.Number?, steps: Int
  ) throws(StoreError) -> (records: [DeliveryRecord], next: DeliveryRecord.Number?) {
    try read { database throws(StoreError) in
      let before = number?.value ?? .max
      let last = try database.number(
        "SELECT number FROM delivery INDEXED BY delivery_ended WHERE app = ? AND state > 1 AND number < ? ORDER BY number DESC"
          + " LIMIT 1 OFFSET ?", [.text(app), .integer(before), .integer(Int64(steps - 1))])
      let records = try deliveries(
        """
         INDEXED BY delivery_ended WHERE app = ? AND number < ? AND number >= ? AND server = ? AND state > 1 \
        AND state = 2 AND closed >= ? AND reason NOT IN ('withdrawn', 'replaced', 'cancelled') \
        AND server_number IS NOT NULL ORDER BY number DESC
        """,
        [.text(app), .integer(before), .integer(last ?? .min), .text(server), SQLValue(since)])
      return (records, last.map { DeliveryRecord.Number($0) })
    }
  }

  /// Records that a notification that had ended has left the server's history: it cannot be answered any more. Its end
  /// and the reason stay.
  public func recordForgotten(_ number: DeliveryRecord.Number) throws(StoreError) {
    try changeDelivery(number) { record in
      if record.state == .closed { record.serverNumber = nil }
    }
  }

  /// Records that the delivery, which is about to be shown, includes that many earlier dates.
  public func recordMissed(_ number: DeliveryRecord.Number, _ missed: Int) throws(StoreError) {
    try changeDelivery(number) { record in
      if record.state == .intent { record.missed = Int64(missed) }
    }
  }

  /// Records that the delivery is held before it is shown, and by what.
  public func recordHeld(_ number: DeliveryRecord.Number, by holder: ListedRequest.Holder) throws(StoreError) {
    try changeDelivery(number) { record in
      if record.state == .intent { record.note(heldBy: holder) }
    }
  }

  /// - Parameter wakes: whether its next showing wakes the machine.
  func changeDelivery(
    _ number: DeliveryRecord.Number, wakes: Bool = false, _ body: (inout DeliveryRecord) -> Void
  ) throws(StoreError) {
    try write(.needed) { database throws(StoreError) in
      guard var record = try Self.delivery(number, in: database) else {
        throw StoreError(.notFound, "no delivery has the number \(number)")
      }
      let before = record
      body(&record)
      if record == before { return }
      let values = record.values
      // Not REPLACE, which would write to every index.
      try database.run(
        """
        UPDATE delivery SET crc = ?, state = ?, server = ?, server_number = ?, posted = ?, closed = ?, reason = ?, \
        keys = ? WHERE number = ?
        """, [.integer(Table.delivery.checksum(values)), values[8]] + values[11...16] + [values[0]])
      if record.missed != before.missed {
        try database.run("UPDATE delivery SET missed = ? WHERE number = ?", [values[9], values[0]])
      }
      if record.eventText != before.eventText {
        try database.run("UPDATE delivery SET event = ? WHERE number = ?", [values[17], values[0]])
      }
      if record.again != before.again || record.showingsText != before.showingsText {
        try database.run(
          "UPDATE delivery SET again = ?, showings = ? WHERE number = ?", Array(values[18...19]) + [values[0]])
      }
      if record.again != before.again {
        mayHaveNags = true
        change?.nags.append(NagChange(number: number, again: record.again, wakes: wakes))
      }
      let grown = record.size - before.size
      if grown != 0 { change?.charge(record.app) { $0.historyBytes += grown } }
    }
  }

  static func delivery(_ number: DeliveryRecord.Number, in database: Database) throws(StoreError) -> DeliveryRecord? {
    try database.rows(Table.delivery.select + " WHERE number = ?", [SQLValue(number)], DeliveryRecord.init).first
  }

  /// Intents without an answer: after a start, they may or may not have been shown. Oldest first.
  public func openIntents() throws(StoreError) -> [DeliveryRecord] {
    try deliveries(" INDEXED BY delivery_open WHERE state < 2 AND state = 0 ORDER BY number")
  }

  /// Deliveries that the user has answered, and whose end was not recorded before the center ended. Oldest first.
  public func answeredWithoutEnd() throws(StoreError) -> [DeliveryRecord] {
    try deliveries(
      " INDEXED BY delivery_open WHERE state < 2 AND EXISTS (SELECT 1 FROM response WHERE delivery = delivery.number)"
        + " ORDER BY number")
  }

  /// The deliveries of this request that are on the screen or on the way to it.
  public func onScreen(app: String, id: String) throws(StoreError) -> [DeliveryRecord] {
    try deliveries(" WHERE app = ? AND id = ? AND state < 2 ORDER BY number", [.text(app), .text(id)])
  }

  /// The newest delivery that a server gave this number; a click is judged by it, also after a restart of the center.
  public func delivery(server: String, serverNumber: Int64) throws(StoreError) -> DeliveryRecord? {
    try deliveries(
      " WHERE server = ? AND server_number = ? ORDER BY number DESC LIMIT 1", [.text(server), .integer(serverNumber)]
    ).first
  }

  /// The delivery with this number; nil if it has been purged.
  public func delivery(_ number: DeliveryRecord.Number) throws(StoreError) -> DeliveryRecord? {
    try read { database throws(StoreError) in try Self.delivery(number, in: database) }
  }

  /// The deliveries on the screen, newest first; nil means every app.
  public func delivered(app: String? = nil, limit: Int = .max) throws(StoreError) -> [DeliveryRecord] {
    try page(app, limit, " INDEXED BY delivery_open WHERE state < 2 AND state = 1")
  }

  /// The past dates of requests, newest first; nil means those of every app.
  public func history(app: String? = nil, limit: Int = .max) throws(StoreError) -> [DeliveryRecord] {
    try page(app, limit, " NOT INDEXED WHERE true")
  }

  /// The past dates of the requests with an id, newest first.
  public func deliveries(app: String, id: String, limit: Int) throws(StoreError) -> [DeliveryRecord] {
    // The index of the dates' names has all that is sorted: an id may have 100,000 dates.
    try deliveries(
      """
       WHERE number IN (SELECT number FROM delivery WHERE app = ?1 AND id = ?2 ORDER BY number DESC LIMIT ?3) \
      ORDER BY number DESC
      """, [.text(app), .text(id), .integer(Int64(limit))])
  }

  private func page(_ app: String?, _ limit: Int, _ source: String) throws(StoreError) -> [DeliveryRecord] {
    try deliveries(
      source + (app == nil ? "" : " AND app = ?2") + " ORDER BY number DESC LIMIT ?1",
      [.integer(Int64(limit))] + (app.map { [.text($0)] } ?? []))
  }

  func deliveries(_ rest: String, _ values: [SQLValue] = []) throws(StoreError) -> [DeliveryRecord] {
    try read { database throws(StoreError) in
      try database.rows(Table.delivery.select + rest, values, DeliveryRecord.init)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// Notifications that are shown again until they are answered. They stay one delivery with one end, however often they
/// are shown.
extension Store {
  /// A delivery that is shown again, or not any more.
  struct NagChange {
    let number: DeliveryRecord.Number
    /// When it is shown again; nil if it is not.
    let again: Timestamp?
    /// Whether that wakes the machine.
    let wakes: Bool
  }

  /// An open delivery that is shown again, as it is known without reading its request.
  public struct StoredNag: Sendable {
    /// The number of the delivery.
    public let number: DeliveryRecord.Number
    /// The app of its request.
    public let app: String
    /// The id of its request.
    public let id: String
    /// The rights of its request; nil for the user.
    public let asker: String?
    /// Whether it is off the screen at present.
    public let isResting: Bool
    let again: Timestamp
    /// When it was last shown; nil if it was not.
    let last: Timestamp?
    let wakes: Bool
  }

  /// All deliveries that are shown again, oldest first.
  public func nagging() throws(StoreError) -> [StoredNag] {
    try read { database throws(StoreError) in
      try database.rows(
        """
        SELECT d.number, d.app, d.id, r.asker, d.state, d.closed, d.again, d.showings, r.wakes \
        FROM delivery d INDEXED BY delivery_again LEFT JOIN request r ON r.revision = d.revision \
        WHERE d.again IS NOT NULL ORDER BY d.number
        """, []
      ) { statement in
        let row = statement.row()
        return StoredNag(
          number: DeliveryRecord.Number(row[0].integer ?? 0), app: row[1].text ?? "", id: row[2].text ?? "",
          asker: row[3].text, isResting: row[4].integer == DeliveryRecord.State.shown.rawValue && row[5] != .null,
          again: row[6].timestamp ?? .distantFuture, last: row[7].text.flatMap { Showings($0) }?.kept.last?.at,
          wakes: row[8] == 1)
      }
    }
  }

  /// Records that a delivery has left the screen without an answer, or was not shown this time. It has not ended, and
  /// is shown again.
  public func recordResting(
    _ number: DeliveryRecord.Number, reason: String, nag: NagPlan, now: Timestamp
  ) throws(StoreError) {
    try changeDelivery(number, wakes: nag.wakes) { record in
      guard record.state == .intent || record.state == .shown else { return }
      if record.again == nil {
        // It was not shown, so that its time has not been planned yet.
        guard let pause = (record.showings ?? Showings()).pause(of: nag.nag) else { return }
        record.again = now + pause
      }
      record.state = .shown
      record.closed = now
      record.reason = reason
    }
  }

  /// Records that a delivery is about to be shown again; returns it, or nil if it is not shown again any more.
  func recordAgain(_ number: DeliveryRecord.Number) throws(StoreError) -> DeliveryRecord? {
    var found: DeliveryRecord?
    try changeDelivery(number) { record in
      guard record.again != nil, record.state == .intent || record.state == .shown else { return }
      record.again = nil
      record.state = .intent
      record.closed = nil
      record.reason = nil
      found = record
    }
    return found
  }

  /// Records that a delivery is not shown again: it has been answered, or its request has ended. One that is on the
  /// screen stays there; another one has ended.
  public func recordNoMore(
    _ number: DeliveryRecord.Number, because end: RequestEnd, now: Timestamp
  ) throws(StoreError) {
    try write(.needed) { database throws(StoreError) in try settleUnneeded(of: number, now: now, in: database) }
    try changeDelivery(number) { record in
      guard record.again != nil || record.isResting else { return }
      record.again = nil
      if record.isResting {
        record.state = end.state
        record.closed = now
        record.reason = end.rawValue
      }
    }
  }

  /// The same for the deliveries of a request; returns how many there were.
  ///
  /// - Parameter number: a delivery that goes on.
  @discardableResult
  func recordNoMore(
    app: String, id: String, except number: DeliveryRecord.Number? = nil, because end: RequestEnd, now: Timestamp
  ) throws(StoreError) -> Int {
    guard mayHaveNags else { return 0 }
    return try write(.needed) { database throws(StoreError) in
      let numbers = try database.rows(
        "SELECT number FROM delivery INDEXED BY delivery_again WHERE app = ? AND id = ? AND again IS NOT NULL",
        [.text(app), .text(id)]
      ) { DeliveryRecord.Number($0.integer(0)) }.filter { $0 != number }
      for number in numbers { try recordNoMore(number, because: end, now: now) }
      return numbers.count
    }
  }
}

/// How a delivery is shown again until it is answered.
public struct NagPlan: Hashable, Sendable {
  /// The pauses, the steps and the limit.
  public let nag: Nag
  /// Whether the next showing wakes the machine.
  public let wakes: Bool
  /// How many steps have come at this showing.
  public let step: Int

  /// Makes a plan from its parts.
  package init(nag: Nag, wakes: Bool, step: Int) {
    self.nag = nag
    self.wakes = wakes
    self.step = step
  }
}

extension NotificationRequest {
  /// How it is shown again until it is answered; nil if it is not.
  func nagPlan(at step: Int = 0) -> NagPlan? {
    content.nag.map { NagPlan(nag: $0, wakes: schedule.wake, step: step) }
  }
}

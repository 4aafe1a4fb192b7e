// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// Many requests, all or none, without a long transaction: all parts of a batch but the first are written to the table
/// `intake`; the commit that accepts the batch stores the first, and later ones move the others, one each. If the
/// center ends in between, opening the store moves the rest of an accepted batch and deletes a batch that was not
/// accepted.
///
/// There is one batch at a time.
extension Store {
  private static let acceptedBatch = "intake.accepted"

  /// How much one part of a batch may hold. Moving a part takes some 30 ms.
  public struct PartLimits: Sendable {
    /// The number of requests.
    public let requests: Int
    /// The bytes of their payloads.
    public let bytes: Int
    /// The limits for new requests.
    public static let usual = PartLimits(requests: 5000, bytes: 1 << 20)
    /// The limits for requests that replace others. Replacing takes three times as long, because the end of the old
    /// request is recorded.
    public static let replacing = PartLimits(requests: 1500, bytes: 300 << 10)
  }

  /// How many requests of a batch are looked at to see whether it replaces others.
  private static let looksForReplaced = 32

  /// The limits of the parts of a batch.
  public func partLimits(of requests: [NewRequest]) throws(StoreError) -> PartLimits {
    for index in stride(from: 0, to: requests.count, by: requests.count / Self.looksForReplaced + 1) {
      let one = requests[index]
      if try request(app: one.app, id: one.id) != nil { return .replacing }
    }
    return .usual
  }

  /// Writes a part of a batch. It has no effect before ``acceptBatch(_:now:whenReplaced:)``.
  ///
  /// - Parameters:
  ///   - number: the position among the parts that are written so, from 1 on.
  ///   - charges: the charges of the batch for each app, including this part.
  public func stage(
    _ part: BatchPart, number: Int, charges: [Identifier: Account]
  ) throws(StoreError) {
    try write(.new) { database throws(StoreError) in
      if number == 1 { try finishBatch() }
      for app in part.apps {
        let charge = charges[app] ?? Account()
        try checkQuota(of: app, grown: charge, account: try account(of: app.text) + charge, total: total + charge)
      }
      try database.run(
        Table.intake.insert, Table.intake.checked([.integer(Int64(number)), .text(RequestList(part).text)]))
    }
  }

  /// Accepts the batch, and stores its first part: from here on all of it is stored, whatever happens. Returns as
  /// ``putInOrder(_:withinQuota:now:whenReplaced:)`` does.
  @discardableResult
  public func acceptBatch(
    _ first: BatchPart, now: Timestamp, whenReplaced: (NewRequest) -> Void = { _ in }
  ) throws(StoreError) -> [DeliveryRecord?] {
    try write(.new) { _ throws(StoreError) in
      try set(Self.acceptedBatch, to: "1")
      return try putInOrder(first, withinQuota: false, now: now, whenReplaced: whenReplaced)
    }
  }

  /// Deletes a batch that was not accepted.
  public func dropBatch() throws(StoreError) {
    try write(.needed) { database throws(StoreError) in _ = try database.run("DELETE FROM intake") }
  }

  /// Moves a part of the accepted batch to the requests; returns as ``putInOrder(_:withinQuota:now:whenReplaced:)``
  /// does.
  ///
  /// - Parameter part: the requests that were passed to ``stage(_:number:charges:)``.
  @discardableResult
  public func moveBatchPart(
    _ part: BatchPart, number: Int, now: Timestamp, whenReplaced: (NewRequest) -> Void = { _ in }
  ) throws(StoreError) -> [DeliveryRecord?] {
    try write(.needed) { database throws(StoreError) in
      // First, so that the requests take its pages, which would otherwise be written just to be erased.
      try database.run("DELETE FROM intake WHERE number = ?", [.integer(Int64(number))])
      if try database.number("SELECT 1 FROM intake LIMIT 1") == nil { try set(Self.acceptedBatch, to: nil) }
      return try putInOrder(part, withinQuota: false, now: now, whenReplaced: whenReplaced)
    }
  }

  private static func requests(ofPart number: Int64, in database: Database) throws(StoreError) -> [NewRequest] {
    let texts = try database.rows(Table.intake.select + " WHERE number = ?", [.integer(number)]) {
      statement throws(StoreError) in try Table.intake.read(statement)[1].text
    }
    guard let text = texts.first ?? nil, let requests = RequestList.requests(in: text) else {
      throw StoreError(.damaged, "part \(number) of a batch cannot be read")
    }
    return requests
  }

  /// Whether an earlier run left an accepted batch that is not moved yet.
  public var hasBatch: Bool {
    (try? read { database throws(StoreError) in try database.number("SELECT 1 FROM intake LIMIT 1") }) ?? nil != nil
  }

  /// Moves the rest of an accepted batch; deletes a batch that was not accepted.
  public func finishBatch() throws(StoreError) {
    guard hasBatch else { return }
    guard try setting(Self.acceptedBatch) != nil else { return try dropBatch() }
    while let number = try read({ database throws(StoreError) in try database.number("SELECT min(number) FROM intake") }
    ) {
      let requests = try read { database throws(StoreError) in try Self.requests(ofPart: number, in: database) }
      try moveBatchPart(BatchPart(requests), number: Int(number), now: clock())
    }
  }

  /// Stores requests in order, so that the later of two with the same id stays; returns a record for each that starts
  /// now.
  public func putInOrder(
    _ part: BatchPart, withinQuota: Bool = true, now: Timestamp,
    whenReplaced: (NewRequest) -> Void = { _ in }
  ) throws(StoreError) -> [DeliveryRecord?] {
    try write(.new) { _ throws(StoreError) in
      var records: [DeliveryRecord?] = []
      records.reserveCapacity(part.positions.count)
      var rest = part.positions
      while let first = rest.first {
        if part.requests[first].start == .now {
          let due = [part.requests[first]]
          records += try putDue(due, withinQuota: withinQuota, now: now, whenReplaced: whenReplaced)
          rest.removeFirst()
        } else {
          let later = rest.prefix { part.requests[$0].start != .now }
          try put(
            BatchPart(part.requests, at: later), withinQuota: withinQuota, now: now, whenReplaced: whenReplaced)
          records += repeatElement(nil, count: later.count)
          rest = rest[later.endIndex...]
        }
      }
      return records
    }
  }
}

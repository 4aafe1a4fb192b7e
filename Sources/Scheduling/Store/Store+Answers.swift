// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// Answers to pushes, which several desktops may show.
extension Store {
  /// A push that was answered first just now.
  public struct AnsweredPush: Hashable, Sendable {
    /// Its delivery.
    public let number: DeliveryRecord.Number
    /// The id of its request.
    public let id: String
    /// The title of its request.
    public let title: String
    /// Whether it has not ended.
    public let isOpen: Bool
    /// Whether the user has answered it on this machine.
    public let isAnsweredHere: Bool
  }

  /// Records who has answered a push. Only the first answer counts; returns nil if this is another one, or if the push
  /// is not known.
  ///
  /// - Parameter name: the name of the other desktop; empty for this one.
  public func recordAnswer(
    toPush id: String, of app: String, by name: String, now: Timestamp
  ) throws(StoreError) -> AnsweredPush? {
    try write(.needed) { database throws(StoreError) in
      let rows = try database.rows(
        Table.pushed.select + " WHERE app = ? AND id = ? AND received > ?",
        [.text(app), .text(id), SQLValue(now - Self.pushAge)]
      ) { statement throws(StoreError) in try Table.pushed.read(statement) }
      guard var row = rows.first.map(Array.init), row[7].text == nil,
        let number = row[0].integer.map(DeliveryRecord.Number.init),
        let delivery = try Self.delivery(number, in: database)
      else { return nil }
      row[7] = .text(name)
      try database.run(Table.pushed.replace, Table.pushed.checked(row))
      let stored = try request(revision: delivery.revision)
      return AnsweredPush(
        number: number, id: delivery.id, title: stored.flatMap(Self.title) ?? "",
        isOpen: delivery.state == .intent || delivery.state == .shown,
        isAnsweredHere: try !responses(to: number).isEmpty)
    }
  }

  private static func title(of request: StoredRequest) -> String? {
    guard case .dictionary(let words)? = try? JSONReader.read(request.payload), case .text(let title)? = words["title"]
    else { return nil }
    return title
  }

  /// Records the reason of an end that has been recorded in this turn.
  public func nameEnd(of number: DeliveryRecord.Number, _ reason: String) throws(StoreError) {
    try changeDelivery(number) { record in
      if record.state == .closed { record.reason = reason }
    }
  }

  /// Stores the answer to a push, to be sent, if it has a route and no other answer was first. Returns whether it did.
  public func queueAnswer(
    to delivery: DeliveryRecord.Number, action: String, reply: String?, now: Timestamp
  ) throws(StoreError) -> Bool {
    try write(.needed) { database throws(StoreError) in
      let rows = try database.rows(Table.pushed.select + " WHERE number = ?", [SQLValue(delivery)]) {
        statement throws(StoreError) in
        try Table.pushed.read(statement)
      }
      guard let row = rows.first, row[7].text == nil, let app = row[1].text, let id = row[2].text,
        let route = row[6].text.flatMap(AnswerRoute.init)
      else { return false }
      var words: [String: PlainValue] = [
        "push": .text(id), "action": .text(action), "to": .text(route.place), "at": .integer(now.milliseconds / 1000),
      ]
      words["reply"] = reply.map { .text($0) }
      return try queue(
        .answer(of: delivery, link: route.link, content: PlainValue.dictionary(words).json), app, now, in: database)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A table whose rows have a checksum: first `crc`, then the integer key, then the rest.
///
/// The checksum comes first so that a row can be checked without knowing the columns of its schema. Columns may only be
/// added, at the end and without a default: trailing nulls do not count, so old rows stay valid.
struct Table: Hashable, Sendable {
  let name: String
  /// Without `crc`; the first one is the key.
  let columns: [String]
  /// The number of columns in the first schema: the minimum of a row.
  let fewestColumns: Int
  /// Makes a row of one table invalid in another.
  let tag: UInt64
  let insert: String
  let replace: String
  let select: String

  /// - Parameter later: the columns of later schemas, in order.
  init(_ name: String, tag: UInt64, _ first: [String], later: [String] = []) {
    let columns = first + later
    self.name = name
    self.tag = tag
    self.columns = columns
    fewestColumns = first.count
    let names = (["crc"] + columns).joined(separator: ", ")
    let places = Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")
    insert = "INSERT INTO \(name) (\(names)) VALUES (\(places))"
    replace = "INSERT OR REPLACE INTO \(name) (\(names)) VALUES (\(places))"
    select = "SELECT \(names) FROM \(name)"
  }

  static let request = Table(
    "request", tag: 1,
    [
      "revision", "app", "id", "payload", "state", "due", "wall", "zone", "fold", "fired", "created", "elapsed",
      "wakes",
    ], later: ["asker", "armed"])
  static let delivery = Table(
    "delivery", tag: 2,
    [
      "number", "revision", "app", "id", "wall", "zone", "fold", "due", "state", "missed", "intended", "server",
      "server_number", "posted", "closed", "reason", "keys",
    ], later: ["event", "again", "showings"])
  static let response = Table(
    "response", tag: 3,
    [
      "number", "delivery", "revision", "app", "id", "action", "reply", "due", "state", "committed", "finished",
      "outcome",
    ])
  /// The data kept for an app: ``Account``. The row with the number 0 is the ``Counter``, which alone has the last
  /// columns: every commit changes it and most change an account, so they share a page.
  static let tally = Table(
    "tally", tag: 4,
    ["number", "app", "pending"],
    later: [
      "boxed", "pending_bytes", "history_rows", "history_bytes", "reply_bytes", "revision", "delivery", "response",
      "commits",
    ])
  /// The table of the counter before schema 11.
  static let counter = Table(
    "counter", tag: 5,
    [
      "number", "revision", "delivery", "response", "commits", "pending",
    ], later: ["pending_bytes", "history_rows", "history_bytes", "reply_bytes"])
  static let setting = Table("setting", tag: 6, ["number", "name", "value"])

  /// Parts of a batch of requests that are not stored yet: ``Store/stage(_:isFirst:charges:)``.
  static let intake = Table("intake", tag: 7, ["number", "requests"])

  /// What is known of pushes. The number is that of the delivery: ``PushRecord``.
  static let pushed = Table(
    "pushed", tag: 10, ["number", "app", "id", "request", "received", "lapses", "route", "answered"])

  /// Messages to servers elsewhere: ``OutgoingRecord``.
  static let outbox = Table(
    "outbox", tag: 11,
    [
      "number", "app", "delivery", "step", "response", "link", "content", "queued", "state", "settled", "detail",
    ])

  static let all = [request, delivery, response, tally, setting, intake, pushed, outbox]
  /// Those of older files, too.
  static let ever = all + [counter]

  /// The checksum of a row without its `crc`, with a sign: so nearly all take four bytes, and a changed row keeps its
  /// length.
  func checksum(_ values: some BidirectionalCollection<SQLValue>) -> Int64 {
    var crc = CRC32()
    crc.add(number: tag)
    let end = values.lastIndex { $0 != .null }.map(values.index(after:)) ?? values.startIndex
    for value in values[..<end] { crc.add(value) }
    return Int64(Int32(bitPattern: crc.value))
  }

  /// Whether the checksum of a row is correct. Rows of earlier schemas have one without a sign.
  func matches(_ crc: Int64, _ values: some BidirectionalCollection<SQLValue>) -> Bool {
    Int64(Int32(truncatingIfNeeded: crc)) == checksum(values) && (-(1 << 31)..<(1 << 32)).contains(crc)
  }

  /// A row with its checksum in front of it.
  func checked(_ values: [SQLValue]) -> [SQLValue] { [.integer(checksum(values))] + values }

  /// The current row of a statement made with ``select``, without its checksum; throws if that is wrong.
  func read(_ statement: Statement) throws(StoreError) -> [SQLValue] {
    var row = statement.row()
    let crc = row.removeFirst()
    guard let crc = crc.integer, matches(crc, row) else {
      let key = row[0].integer.map(String.init) ?? "?"
      throw StoreError(.damaged, "row \(key) of table '\(name)' has a wrong checksum", sql: statement.sql)
    }
    return row
  }
}

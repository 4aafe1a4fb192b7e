// SPDX-License-Identifier: Apache-2.0
import Foundation
import SuzuTesting
import TestSupport
import Testing

@testable import Scheduling

/// Tests that a request is stored with the rights that it was made with.
@Suite(.timeLimit(.minutes(1)))
struct StoreAskerTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private static func request(_ id: String, asker: String?) -> NewRequest {
    var request = StoreFixture.request(id)
    request.asker = asker
    return request
  }

  /// Every request in the store, by its id.
  private func askers(_ store: Store) throws -> [String: String?] {
    try store.pending().reduce(into: [:]) { $0[$1.id] = $1.asker }
  }

  @Test func `The asker is stored with the request, and stays when its date moves`() throws {
    var store = try fixture.open()
    try store.put([Self.request("a", asker: "box:x"), Self.request("b", asker: nil)], now: StoreFixture.now)
    let due = try store.putDue([Self.request("c", asker: "box:y")], now: StoreFixture.now)
    let revision = try #require(try store.request(app: "org.example.App", id: "a")?.revision)
    try store.setNext(.date(PlannedDate(due: StoreFixture.now + 5)), fired: 1, of: revision)
    store.close()
    store = try fixture.open()
    #expect(try askers(store) == ["a": "box:x", "b": nil])
    #expect(try store.request(revision: due[0].revision)?.asker == "box:y")
    // Who replaces it has rights of their own.
    try store.put([Self.request("a", asker: nil)], now: StoreFixture.now)
    #expect(try askers(store) == ["a": nil, "b": nil])
    try store.check()
  }

  @Test func `A file of the first schema is read, and its rows belong to the user`() throws {
    try makeOld(schema: 1)
    let store = try fixture.open()
    #expect(try askers(store) == ["old": nil])
    try store.put([Self.request("new", asker: "box:x")], now: StoreFixture.now)
    try store.check()
  }

  @Test func `The accounts, the last numbers and the commits stay when the counter moves to their table`() throws {
    try makeOld(schema: 10)
    var store = try fixture.open()
    #expect(try store.account(of: "org.example.App").isBoxed)
    #expect(store.lastRevision == 1 && store.counter.commits == 7)
    #expect(store.total.pendingBytes > 0)
    try store.put([Self.request("new", asker: nil)], now: StoreFixture.now)
    try store.check()
    store.close()
    store = try fixture.open()
    #expect(store.lastRevision == 2 && store.counter.commits == 8)
    #expect(try store.account(of: "org.example.App").isBoxed && store.pendingCount() == 2)
    try store.check()
  }

  // A row has as many values as its table had columns when it was written: a rescue looked for the newest number only.
  @Test func `A rescue recovers rows of both schemas`() throws {
    try makeOld(schema: 1)
    let store = try fixture.open()
    try store.put([Self.request("new", asker: "box:x")], now: StoreFixture.now)
    store.close()
    var files = try fixture.files()
    for index in 0..<100 { files["suzu.db"]?[index] = 0xEE }
    try fixture.restore(files)
    let rescued = try fixture.open()
    #expect(try rescued.recoveries().map(\.lost) == [0])
    #expect(try askers(rescued) == ["new": "box:x", "old": nil])
    try rescued.check()
  }

  /// A store of an older schema, with one request.
  private func makeOld(schema: Int) throws {
    // The folder and the files beside the store.
    try fixture.open().close()
    for name in ["suzu.db", "suzu.db-wal"] { try? FileManager.default.removeItem(atPath: fixture.file(name)) }
    try fixture.write([], "suzu.db")
    let database = try Database(fixture.file("suzu.db"))
    try database.migrate(Array(Migration.all.prefix(schema)), beforeEach: { _ in }, willRun: { _ in })
    let old = StoreFixture.request("old")
    let row = StoredRequest(
      revision: 1, app: old.app, id: old.id, payload: old.payload, phase: .pending(Wait(old.start, now: 0)), fired: 0,
      created: StoreFixture.now, wakes: false, asker: nil
    ).values
    try database.transaction { () throws(StoreError) in
      try Self.insertOld(row, into: .request, of: database)
      var account = old.charge
      account.isBoxed = schema > 1
      try Self.insertOld(
        account.row(number: 1, app: old.app), into: .tally, width: schema > 1 ? Account.width : nil, of: database)
      // The last numbers given, the commits, and how many are pending; later the sizes as well.
      try Self.insertOld(
        [1, 1, 0, 0, 7, 1, SQLValue(account.pendingBytes), 0, 0, 0], into: .counter, width: schema > 1 ? 10 : nil,
        of: database)
    }
    try database.close()
  }

  /// A row with the columns that an older schema had.
  ///
  /// - Parameter width: how many; nil for those of the first schema.
  private static func insertOld(
    _ values: [SQLValue], into table: Table, width: Int? = nil, of database: Database
  ) throws(StoreError) {
    let width = width ?? table.fewestColumns
    let row = Array(values.prefix(width))
    let columns = (["crc"] + table.columns.prefix(width)).joined(separator: ", ")
    let places = [String](repeating: "?", count: row.count + 1).joined(separator: ", ")
    // It wrote checksums without a sign.
    let checksum = Int64(UInt32(truncatingIfNeeded: table.checksum(row)))
    try database.run(
      "INSERT OR REPLACE INTO \(table.name) (\(columns)) VALUES (\(places))", [.integer(checksum)] + row)
  }
}

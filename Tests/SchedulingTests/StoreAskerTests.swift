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
    try makeFirstSchema()
    let store = try fixture.open()
    #expect(try askers(store) == ["old": nil])
    try store.put([Self.request("new", asker: "box:x")], now: StoreFixture.now)
    try store.check()
  }

  // A row has as many values as its table had columns when it was written: a rescue looked for the newest number only.
  @Test func `A rescue recovers rows of both schemas`() throws {
    try makeFirstSchema()
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

  /// A store as the first center that was released made it, with one request.
  private func makeFirstSchema() throws {
    // The folder and the files beside the store.
    try fixture.open().close()
    for name in ["suzu.db", "suzu.db-wal"] { try? FileManager.default.removeItem(atPath: fixture.file(name)) }
    try fixture.write([], "suzu.db")
    let database = try Database(fixture.file("suzu.db"))
    try database.migrate([Migration.all[0]], beforeEach: { _ in }, willRun: { _ in })
    let old = StoreFixture.request("old")
    let row = StoredRequest(
      revision: 1, app: old.app, id: old.id, payload: old.payload, phase: .pending(Wait(old.start, now: 0)), fired: 0,
      created: StoreFixture.now, wakes: false, asker: nil
    ).values
    try database.transaction { () throws(StoreError) in
      try Self.insertOld(row, into: .request, of: database)
      try Self.insertOld([1, .text(old.app), 1], into: .tally, of: database)
      // The last numbers given, the commits, and how many are pending.
      try Self.insertOld([1, 1, 0, 0, 1, 1], into: .counter, of: database)
    }
    try database.close()
  }

  /// A row with the columns that the first schema had.
  private static func insertOld(
    _ values: [SQLValue], into table: Table, of database: Database
  ) throws(StoreError) {
    let row = Array(values.prefix(table.fewestColumns))
    let columns = (["crc"] + table.columns.prefix(table.fewestColumns)).joined(separator: ", ")
    let places = [String](repeating: "?", count: row.count + 1).joined(separator: ", ")
    // It wrote checksums without a sign.
    let checksum = Int64(UInt32(truncatingIfNeeded: table.checksum(row)))
    try database.run(
      "INSERT OR REPLACE INTO \(table.name) (\(columns)) VALUES (\(places))", [.integer(checksum)] + row)
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Scheduling
import TestSupport
import Testing

/// Tests stores whose file is damaged.
@Suite struct StoreDamageTests {
  let fixture: StoreFixture
  let now = StoreFixture.now

  init() throws { fixture = try StoreFixture() }

  private func fill(_ store: Store, _ count: Int = 100) throws {
    try store.put((0..<count).map { StoreFixture.request("r\($0)", in: Int64($0)) }, now: now)
    // One that does not fit in a page, and some that were shown and answered.
    try store.put([StoreFixture.request("long", body: String(repeating: "long ", count: 3000))], now: now)
    for request in try store.nearestDue(limit: 20) {
      guard let intent = try store.recordIntent(request.knownDate, of: request, now: now) else { continue }
      try store.recordShown(intent.number, server: ":1.1", serverNumber: intent.number.value, keys: "[]", now: now)
      _ = try store.commitResponse(to: intent, action: "default", reply: nil, now: now)
    }
  }

  private func everything(_ store: Store) throws -> [StoredRequest] { try store.pending() }

  @Test func `A damaged file is always detected`() throws {
    var store = try fixture.open()
    try fill(store)
    try store.backup()
    let original = try everything(store)
    store.close()
    let files = try fixture.files()
    var random = SystemRandomNumberGenerator()
    var (found, harmless, kept, lost) = (0, 0, 0, 0)
    let mutants = 300 * roundFactor
    for mutant in 0..<mutants {
      var bytes = try #require(files["suzu.db"])
      let description = mutate(&bytes, mutant, &random)
      try fixture.restore(files)
      try fixture.write(bytes, "suzu.db")
      store = try fixture.open()
      let rows = try everything(store)
      let recoveries = try store.recoveries()
      if rows == original {
        if recoveries.isEmpty { harmless += 1 } else { found += 1 }
      } else {
        found += 1
        #expect(!recoveries.isEmpty, "silent: \(description)")
        lost += original.count - rows.count
      }
      kept += rows.count
      if let recovery = recoveries.first {
        #expect(recovery.restored == rows.count)
        #expect(recovery.lost == original.count - rows.count, "\(description) \(recovery)")
      }
      store.close()
    }
    print(
      "store: \(mutants) damaged files: \(found) found and mended, \(harmless) without effect, 0 silent;"
        + " \(kept) rows kept, \(lost) lost, with a copy of the day")
    #expect(found > mutants / 3)
  }

  private func mutate(_ bytes: inout [UInt8], _ kind: Int, _ random: inout some RandomNumberGenerator) -> String {
    let at = Int.random(in: 0..<bytes.count, using: &random)
    switch kind % 6 {
    case 0:
      bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      return "a bit at \(at)"
    case 1:
      for index in at..<min(at + 4, bytes.count) { bytes[index] = ~bytes[index] }
      return "four bytes at \(at)"
    case 2:
      for index in at..<min(at + 512, bytes.count) { bytes[index] = 0 }
      return "a sector of zeros at \(at)"
    case 3:
      let page = at / 4096 * 4096
      for index in page..<min(page + 4096, bytes.count) { bytes[index] = .random(in: 0...255, using: &random) }
      return "a random page at \(page)"
    case 4:
      bytes.removeLast(bytes.count - at)
      return "cut to \(at)"
    default:
      let length = [1, 16, 100, 4096].randomElement(using: &random) ?? 1
      for index in 0..<min(length, bytes.count) { bytes[index] = .random(in: 0...255, using: &random) }
      return "the first \(length) bytes"
    }
  }

  @Test func `A file with a future form of schema is damaged`() throws {
    var store = try fixture.open()
    try fill(store)
    let original = try everything(store)
    store.close()
    var bytes = try fixture.bytes("suzu.db")
    bytes[47] = 7
    try fixture.write(bytes, "suzu.db")
    store = try fixture.open()
    #expect(try store.recoveries().map(\.lost) == [0])
    #expect(try everything(store) == original)
  }

  @Test func `The rows of a damaged file are recovered without a copy`() throws {
    var store = try fixture.open()
    try fill(store)
    let original = try everything(store)
    store.close()
    var bytes = try fixture.bytes("suzu.db")
    for index in 0..<4096 { bytes[index] = 0xEE }
    try fixture.write(bytes, "suzu.db")
    store = try fixture.open()
    #expect(try everything(store) == original)
    let recovery = try #require(try store.recoveries().first)
    #expect(recovery.lost == 0 && recovery.restored == original.count && recovery.fromCopy == 0)
    #expect(try fixture.bytes(recovery.setAside) == bytes)
    // Dates that were dealt with are still known, so that nothing fires again.
    #expect(try store.history().count == 20)
    #expect(try store.unfinishedResponses().count == 20)
    // New numbers are past every number that may have been given.
    #expect(try #require(try store.put([StoreFixture.request("new")], now: now).first) > 1_000_000)
    store.close()
    // The report waits until it was taken.
    store = try fixture.open()
    #expect(try store.recoveries() == [recovery])
    try store.forgetRecoveries()
    #expect(try store.recoveries() == [])
  }

  @Test(arguments: [true, false])
  func `An empty or missing file after a full one is a loss and no first start`(isEmpty: Bool) throws {
    var store = try fixture.open()
    try fill(store)
    try store.backup()
    try store.put([StoreFixture.request("after the copy")], now: now)
    let count = try store.pendingCount()
    store.close()
    if isEmpty {
      try fixture.write([], "suzu.db")
    } else {
      try FileManager.default.removeItem(atPath: fixture.file("suzu.db"))
    }
    store = try fixture.open()
    #expect(try store.pendingCount() == count - 1)
    let recovery = try #require(try store.recoveries().first)
    #expect(recovery.fromCopy == count - 1)
  }

  @Test func `Damage in the log of a killed process is found, and costs only the damaged part`() throws {
    // So few that nothing of the log is in the database yet.
    let writer = try StoreWriter.start("hold", fixture.path, 30)
    #expect(writer.readLine() == "open")
    writer.kill()
    let promised = Set((0..<30).map(String.init))
    let files = try fixture.files()
    #expect((files["suzu.db-wal"]?.count ?? 0) > 100_000)
    let whole = try fixture.open()
    let original = try everything(whole)
    let commits = try #require(Int(String(decoding: fixture.bytes("suzu.db.witness").prefix(19), as: UTF8.self)))
    whole.close()
    #expect(commits >= 30)
    var random = SystemRandomNumberGenerator()
    var (lost, found, ends) = (0, 0, 0)
    let mutants = 60 * roundFactor
    for mutant in 0..<mutants {
      var log = try #require(files["suzu.db-wal"])
      let description = mutate(&log, mutant, &random)
      try fixture.restore(files)
      try fixture.write(log, "suzu.db-wal")
      let store = try fixture.open()
      let rows = try everything(store)
      if let recovery = try store.recoveries().first {
        found += 1
        // It used to say that none was lost where what counts them was lost as well.
        let missing = original.count - rows.count
        #expect(recovery.lost == nil || recovery.lost == missing, "\(description): \(recovery), \(missing) missing")
        lost += max(0, original.count - rows.count)
      } else {
        // Only unacknowledged rows may be missing silently.
        ends += 1
        let silent = promised.subtracting(rows.map(\.id))
        #expect(silent.isEmpty, "silent: \(description) \(silent)")
      }
      store.close()
    }
    print(
      "store: \(mutants) damaged logs: \(found) found and mended, \(ends) without effect, 0 silent; \(lost) rows lost")
    #expect(found > mutants / 2)
  }

  @Test func `A row with changed bytes is detected when read, and restored from the copy`() throws {
    var options = Store.Options()
    options.pagesCheckedAtOpening = 0
    var store = try fixture.open()
    try fill(store)
    try store.backup()
    store.close()
    var bytes = try fixture.bytes("suzu.db")
    let place = try #require(bytes.firstRange(of: Array("\"id\":\"r77\"".utf8)))
    bytes[place.lowerBound + 6] ^= 1
    try fixture.write(bytes, "suzu.db")
    store = try fixture.open(options)
    #expect(try store.recoveries() == [])
    #expect(try store.request(app: "org.example.App", id: "r77")?.payload == "{\"id\":\"r77\",\"body\":\"b\"}")
    let recovery = try #require(try store.recoveries().first)
    #expect(recovery.fromCopy == 1 && recovery.lost == 0 && recovery.restored == 101)
  }

  @Test func `An interrupted rescue starts over and loses no row`() throws {
    var store = try fixture.open()
    try fill(store)
    let original = try everything(store)
    store.close()
    let bytes = try fixture.bytes("suzu.db")
    // Between the two renames, and behind them: what a killed rescue leaves.
    for isRenamed in [false, true] {
      try fixture.write(Array("suzu.db.damaged-20270115T080000Z".utf8), "suzu.db.rescue")
      try fixture.write(Array("half a database".utf8), "suzu.db.rebuilt")
      if isRenamed {
        try fixture.write(bytes, "suzu.db.damaged-20270115T080000Z")
        try FileManager.default.removeItem(atPath: fixture.file("suzu.db"))
      }
      store = try fixture.open()
      #expect(try everything(store) == original)
      #expect(try store.recoveries().contains { $0.restored == original.count })
      store.close()
      #expect(!FileManager.default.fileExists(atPath: fixture.file("suzu.db.rescue")))
      try FileManager.default.removeItem(atPath: fixture.file("suzu.db.damaged-20270115T080000Z"))
    }
  }

  @Test func `Only the last two copies are kept`() throws {
    nonisolated(unsafe) var time = now  // read on this thread
    let store = try Store(folder: fixture.path) { time }
    for day in 0..<4 {
      time = now + Int64(day) * 86_400_000
      try store.backup()
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.path).filter { $0.contains("copy") }
      .sorted()
    #expect(names == ["suzu.db.copy-20270117T080000Z", "suzu.db.copy-20270118T080000Z"])
  }
}

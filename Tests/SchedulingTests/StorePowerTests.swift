// SPDX-License-Identifier: Apache-2.0
import Foundation
import Scheduling
import TestSupport
import Testing

/// Tests losses of power: synced writes are kept, and any part of the others.
@Suite struct StorePowerTests {
  let fixture: StoreFixture
  let folder: TemporaryFolder
  let library: String
  let now = StoreFixture.now

  init() throws {
    fixture = try StoreFixture()
    folder = try TemporaryFolder()
    library = try RecordedDisk.build(in: folder)
  }

  /// Runs the writer on the fixture's folder up to a line of its output, ends it there, and returns what it did.
  private func record(_ mode: String, _ number: Int, until isEnough: (String) -> Bool) throws -> [RecordedDisk.Event] {
    let path = folder.path("record")
    try? FileManager.default.removeItem(atPath: path)
    let writer = try StoreWriter.start(
      mode, fixture.path, number,
      ["LD_PRELOAD": library, "RECORD_TO": path, "RECORD_FOLDER": fixture.path])
    while let line = writer.readLine() {
      if line.hasPrefix("error") { throw TestFailure("the writer \(mode) \(number): \(line)") }
      if isEnough(line) { break }
    }
    writer.kill()
    return try RecordedDisk.events(path)
  }

  private func recordLife(seed: Int, commits: Int) throws -> [RecordedDisk.Event] {
    var count = 0
    return try record("live", seed) { line in
      if line == "ok" { count += 1 }
      return count == commits
    }
  }

  /// Makes the folder what a loss left of it.
  private func leave(_ survivors: [String: [UInt8]]?) throws {
    if FileManager.default.fileExists(atPath: fixture.path) { try FileManager.default.removeItem(atPath: fixture.path) }
    guard let survivors else { return }
    try FileManager.default.createDirectory(
      atPath: fixture.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    for (name, bytes) in survivors { try fixture.write(bytes, name) }
  }

  /// Moments at random, half of them next to a sync or a change of names, from the first on.
  private func moments(_ count: Int, of events: [RecordedDisk.Event], _ random: inout SeededNumbers) -> Set<Int> {
    let turns = turns(of: events)
    return Set(
      (0..<count).map { number in
        let turn = turns.randomElement(using: &random) ?? 0
        return number % 2 == 0 ? Int.random(in: 0...events.count, using: &random) : turn + number / 2 % 2
      })
  }

  /// Where names or syncs change.
  private func turns(of events: [RecordedDisk.Event]) -> [Int] {
    events.indices.filter { ![.wrote, .said].contains(events[$0].kind) }
  }

  private func remains(_ random: inout SeededNumbers) -> [PowerLoss.Remains] {
    [.onlySynced, .random(&random, .inOrder), .random(&random, .inAnyOrder)]
  }

  @Test func `Acknowledged requests survive a loss of power at any moment`() throws {
    var (losses, faults) = (0, [String]())
    var promises = Promises()
    for round in 0..<4 * powerRounds {
      let seed = Int.random(in: 0..<1_000_000)
      var random = SeededNumbers(seed: UInt64(seed))
      // Every second life begins with what a loss has left of the one before it.
      if round % 2 == 0 {
        try leave(nil)
        promises.forgetAll()
      } else {
        promises.keepPending()
      }
      var power = try PowerLoss(of: round % 2 == 0 ? nil : fixture.path)
      let events = try recordLife(seed: seed, commits: Int.random(in: 80...200, using: &random))
      #expect(events.count > 500)
      let moments = moments(10, of: events, &random)
      for moment in 0...events.count {
        if moments.contains(moment) || moment == events.count {
          for remains in remains(&random) {
            losses += 1
            try leave(power.survivors(remains, &random))
            for fault in promises.faults(in: fixture) {
              faults.append("life \(seed), moment \(moment) of \(events.count), \(remains): \(fault)")
            }
          }
        }
        if moment < events.count {
          power.replay(events[moment])
          promises.hear(events[moment])
        }
      }
      try leave(power.survivors(.random(&random, .inAnyOrder), &random))
    }
    print(
      "store: \(losses) losses of power, \(promises.commits) commits and \(promises.wholeCopies) copies acknowledged,"
        + " \(faults.count) lost")
    #expect(faults.isEmpty, "\(faults.prefix(5).joined(separator: "\n"))")
    #expect(promises.commits >= 80 * 4)
    #expect(promises.wholeCopies > 0)
  }

  @Test(arguments: PowerLoss.Lie.allCases)
  func `A disk that does not sync loses acknowledged requests, and the test detects it`(lie: PowerLoss.Lie) throws {
    var power = try PowerLoss(lie: lie)
    var promises = Promises()
    for event in try recordLife(seed: 1, commits: 100) {
      power.replay(event)
      promises.hear(event)
    }
    var random = SeededNumbers(seed: 1)
    try leave(power.survivors(.onlySynced, &random))
    let faults = promises.faults(in: fixture)
    print("store: a disk that lies about syncs of its \(lie): \(faults.count) faults: \(faults.first ?? "")")
    #expect(!faults.isEmpty)
  }

  @Test func `The -wal is overwritten only when the pages that were moved from it are on the disk`() throws {
    let events = try recordLife(seed: 1, commits: 150)
    func inode(_ name: String) throws -> UInt64 {
      try #require(
        try FileManager.default.attributesOfItem(atPath: fixture.path + "/" + name)[.systemFileNumber] as? UInt64)
    }
    let (database, log) = (try inode("suzu.db"), try inode("suzu.db-wal"))
    var (isUnsynced, moves) = (false, 0)
    for event in events {
      switch (event.kind, event.inode) {
      case (.wrote, database): isUnsynced = true
      case (.syncedFile, database):
        if isUnsynced { moves += 1 }
        isUnsynced = false
      case (.wrote, log) where event.number == 0: #expect(!isUnsynced, "after \(moves) moves")
      default: break
      }
    }
    #expect(moves > 1)
  }

  @Test func `A first start that loses its power is repeated`() throws {
    var power = try PowerLoss()
    let events = try record("hold", 0) { $0 == "open" }
    let losses = try forEachLoss(of: &power, events, times: 3) { _, description in
      let store = try fixture.open()
      #expect(try store.recoveries() == [], "\(description)")
      #expect(try store.pendingCount() == 0, "\(description)")
      #expect(try !fixture.files().keys.contains { $0.contains("damaged") }, "\(description)")
      try store.put([StoreFixture.request("first")], now: now)
      try store.check()
      store.close()
    }
    print("store: \(losses) losses of power in a first start")
  }

  @Test func `A migration that loses its power leaves the old schema or the new one`() throws {
    let original = try storeWithLog(60)
    var power = try PowerLoss(of: fixture.path)
    let events = try record("migrate", .max) { $0 == "migrated" }
    var options = Store.Options()
    options.migrations += [
      Migration(
        Migration.newest + 1,
        ["ALTER TABLE request ADD COLUMN tint TEXT", "CREATE INDEX request_created ON request (created)"]),
      Migration(
        Migration.newest + 2, ["CREATE TABLE more (crc INTEGER NOT NULL, number INTEGER PRIMARY KEY, text TEXT)"]),
    ]
    let losses = try forEachLoss(of: &power, events) { isAcknowledged, description in
      nonisolated(unsafe) var statements = 0  // the store calls back on this thread
      options.willRun = { _ in statements += 1 }
      let store = try fixture.open(options)
      #expect(try store.recoveries() == [], "\(description)")
      try store.check()
      #expect(try store.pending() == original, "\(description)")
      if isAcknowledged { #expect(statements == 0, "\(description)") }
      store.close()
    }
    print("store: \(losses) losses of power in a migration")
  }

  @Test func `A rescue that loses its power is repeated, and recovers as much`() throws {
    let original = try storeWithLog(80)
    var files = try fixture.files()
    for index in 0..<4096 { files["suzu.db"]?[index] = 0xEE }
    try fixture.restore(files)
    let damaged = try #require(files["suzu.db"])
    var power = try PowerLoss(of: fixture.path)
    let events = try record("hold", 0) { $0 == "open" }
    let losses = try forEachLoss(of: &power, events) { _, description in
      let store = try fixture.open()
      let recoveries = try store.recoveries()
      #expect(recoveries.map(\.lost) == [0], "\(description)")
      try store.check()
      #expect(try store.pending() == original, "\(description)")
      if let recovery = recoveries.first {
        #expect(try fixture.bytes(recovery.setAside) == damaged, "\(description)")
        #expect(try fixture.bytes(recovery.setAside + "-wal") == files["suzu.db-wal"], "\(description)")
      }
      store.close()
    }
    print("store: \(losses) losses of power in a rescue")
  }

  @Test func `The journal of a damaged file is set aside with it`() throws {
    var store = try fixture.open()
    let many = (0..<400).map { StoreFixture.request("\($0)", body: String(repeating: "long ", count: 200)) }
    try store.put(many, now: now)
    try store.remove(app: "org.example.App", ids: many.dropLast(50).map(\.id))
    let original = try store.pending()
    let copy = try store.backup()
    store.close()
    // The user has replaced the store by a copy with the mark of a file without a -wal, as VACUUM leaves it;
    // the power is lost while that becomes a file with one.
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: copy)))
    (bytes[18], bytes[19]) = (1, 1)
    try fixture.restore(["suzu.db": bytes])
    var power = try PowerLoss(of: fixture.path)
    let events = try record("hold", 0) { $0 == "open" }
    let journal = try #require(events.firstIndex { $0.kind == .unlinked && $0.text == "suzu.db-journal" })
    for event in events[..<journal] { power.replay(event) }
    var random = SeededNumbers(seed: 1)
    var files = try #require(power.survivors(.onlySynced, &random))
    for index in 0..<4096 { files["suzu.db"]?[index] = 0xEE }
    #expect(files["suzu.db-journal"]?.isEmpty == false)
    try leave(files)
    for _ in 0..<2 {
      store = try fixture.open()
      #expect(try store.recoveries().map(\.restored) == [50])
      #expect(try store.pending() == original)
      try store.check()
      store.close()
    }
  }

  /// A store half of whose requests are in the -wal, as a loss of power leaves it; returns them.
  private func storeWithLog(_ count: Int) throws -> [StoredRequest] {
    var store = try fixture.open()
    try store.put((0..<count / 2).map { StoreFixture.request("\($0)", in: Int64($0)) }, now: now)
    store.close()
    store = try fixture.open()
    try store.put((count / 2..<count).map { StoreFixture.request("\($0)", in: Int64($0)) }, now: now)
    let pending = try store.pending()
    let files = try fixture.files()
    store.close()
    try fixture.restore(files)
    return pending
  }

  /// Loses power at random moments; `check` hears whether the end was acknowledged by then, and which loss it was.
  private func forEachLoss(
    of power: inout PowerLoss, _ events: [RecordedDisk.Event], times: Int = 1,
    check: (Bool, String) throws -> Void
  ) throws -> Int {
    let seed = Int.random(in: 0..<1_000_000)
    var random = SeededNumbers(seed: UInt64(seed))
    // The few moments at which names and syncs change, and some of the others.
    let moments = moments(10 * powerRounds, of: events, &random).union(turns(of: events))
    var (losses, isAcknowledged) = (0, false)
    for moment in 0...events.count {
      if moments.contains(moment) || moment == events.count {
        for remains in (0..<times).flatMap({ _ in remains(&random) }) {
          losses += 1
          try leave(power.survivors(remains, &random))
          let description = "seed \(seed), moment \(moment) of \(events.count), \(remains)"
          do { try check(isAcknowledged, description) } catch { Issue.record("\(description): \(error)") }
        }
      }
      if moment < events.count {
        power.replay(events[moment])
        if events[moment].kind == .said { isAcknowledged = true }
      }
    }
    #expect(isAcknowledged)
    return losses
  }
}

/// How often these tests go round; a night's run is longer.
private let powerRounds =
  roundFactor * (ProcessInfo.processInfo.environment["SUZU_LONG_TESTS"] == nil ? 1 : 20)

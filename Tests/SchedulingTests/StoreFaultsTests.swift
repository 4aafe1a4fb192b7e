// SPDX-License-Identifier: Apache-2.0
import Foundation
import Scheduling
import TestSupport
import Testing

/// Tests killed processes, migrations, and a store in use by another process.
@Suite struct StoreFaultsTests {
  let fixture: StoreFixture
  let now = StoreFixture.now

  init() throws { fixture = try StoreFixture() }

  @Test func `Acknowledged requests survive kill -9 at random moments`() throws {
    var random = SystemRandomNumberGenerator()
    var acknowledged: [String] = []
    var checked = 0
    let rounds = 100 * roundFactor
    for round in 0..<rounds {
      let writer = try StoreWriter.start("write", fixture.path, round)
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        if let line = writer.readLine(), line != "open" { acknowledged.append(line) }
      }
      writer.kill()
      while let line = writer.readLine() { acknowledged.append(line) }
      // The next writer opens what this one left; every tenth time we look ourselves.
      if round % 10 == 9 || round == rounds - 1 {
        let store = try fixture.open()
        #expect(try store.recoveries() == [])
        try store.check()
        for line in acknowledged[checked...] { try expectPresent(line, in: store) }
        checked = acknowledged.count
        store.close()
      }
    }
    print("store: \(rounds) kills, \(acknowledged.count) acknowledged, 0 missing")
    #expect(acknowledged.count > rounds)
  }

  private func expectPresent(_ line: String, in store: Store) throws {
    let words = line.split(separator: " ").map(String.init)
    let (kind, id) = (words[0], try #require(words.dropFirst().first))
    switch kind {
    case "put": #expect(try store.request(app: "a", id: id)?.state == .pending, "\(line)")
    case "group": for part in 0..<5 { #expect(try store.request(app: "g", id: "\(id).\(part)") != nil, "\(line)") }
    case "replace": #expect(try store.request(app: "a", id: id)?.payload == "second", "\(line)")
    case "remove": #expect(try store.request(app: "a", id: id) == nil, "\(line)")
    case "answer":
      let request = try #require(try store.request(app: "a", id: id), "\(line)")
      #expect(request.state == .finished)
      let shown = try #require(try store.onScreen(app: "a", id: id).first)
      #expect(try store.responses(to: shown.number).map { "\($0.number)" } == [words[2]])
    default: Issue.record("the writer said '\(line)'")
    }
  }

  @Test func `A migration killed before any of its statements leaves the old schema or the new one`() throws {
    let store = try fixture.open()
    try store.put((0..<50).map { StoreFixture.request("\($0)") }, now: now)
    store.close()
    let original = try fixture.files()
    var steps = 0
    while true {
      try fixture.restore(original)
      let killed = try StoreWriter.start("migrate", fixture.path, steps)
      let isKilled = killed.readLine()?.hasPrefix("ending") == true
      #expect(killed.waitForExit() != nil)
      if !isKilled { break }
      // What has begun goes on from where it was, with the rows.
      let completed = try StoreWriter.start("migrate", fixture.path, .max)
      #expect(completed.readLine() == "migrated", "step \(steps)")
      _ = completed.waitForExit()
      steps += 1
    }
    print("store: a migration killed at each of \(steps) statements, 0 mixed")
    #expect(steps >= 11)
    #expect(FileManager.default.fileExists(atPath: fixture.file("suzu.db.schema-\(Migration.newest)")))
    // Ours is the older program now.
    #expect { try fixture.open() } throws: { ($0 as? StoreError)?.code == .newerSchema }
    // The copy that was made before is the old store.
    try fixture.write(try fixture.bytes("suzu.db.schema-\(Migration.newest)"), "suzu.db")
    #expect(try fixture.open().pendingCount() == 50)
  }

  @Test func `A second process is refused by name, and gets the store when the first has ended`() throws {
    let holder = try StoreWriter.start("hold", fixture.path, 0)
    #expect(holder.readLine() == "open")
    #expect {
      try fixture.open()
    } throws: {
      ($0 as? StoreError)?.code == .alreadyOpen && "\($0)".contains("\(holder.processID)")
    }
    holder.kill()
    #expect(try fixture.open().pendingCount() == 0)
  }

  @Test func `A second store in one process is refused`() throws {
    let store = try fixture.open()
    #expect { try fixture.open() } throws: { ($0 as? StoreError)?.code == .alreadyOpen }
    store.close()
    #expect { try store.pendingCount() } throws: { ($0 as? StoreError)?.code == .closed }
  }
}

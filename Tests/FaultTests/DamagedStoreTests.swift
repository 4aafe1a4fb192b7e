// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests starts of the center with a damaged store.
@Suite(.timeLimit(.minutes(30)))
struct DamagedStoreTests {
  static let title = "Scheduled notifications had to be restored"

  /// The kinds of damage to the files.
  enum Damage: Int, CaseIterable {
    case bit, fourBytes, zeros, randomPage, cut, header, empty, missing, garbage, logBit, logCut, logGarbage
  }

  /// A store in use: pending, shown and answered requests, and the log of a killed center.
  private func makeStore(_ stand: FaultStand, _ server: ScriptedServer, pending: Int) async throws -> [String: [UInt8]]
  {
    var (center, _) = try await stand.startReady()
    let requests = (0..<pending / 2).map { FaultStand.request("p\($0)", ["in": .string("\($0 + 60)m")]) }
    try await stand.call("NotifyMany", [.array(of: .properties, requests)])
    for index in 0..<20 { try await stand.notify("s\(index)") }
    _ = try await server.posted.next(20)
    try await stand.end(center)
    (center, _) = try await stand.startReady()
    for index in pending / 2..<pending { try await stand.notify("p\(index)", ["in": .string("\(index + 60)m")]) }
    try await stand.kill(center)
    return try files(stand)
  }

  private func files(_ stand: FaultStand) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: stand.store) where !name.hasSuffix(".ballast") {
      files[name] = [UInt8](try Data(contentsOf: URL(filePath: stand.store + "/" + name)))
    }
    return files
  }

  private func restore(_ files: [String: [UInt8]], _ stand: FaultStand) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: stand.store) {
      try FileManager.default.removeItem(atPath: stand.store + "/" + name)
    }
    for (name, bytes) in files { try Data(bytes).write(to: URL(filePath: stand.store + "/" + name)) }
  }

  /// Returns where the file was damaged.
  @discardableResult
  private func mutate(_ files: inout [String: [UInt8]], _ damage: Damage) throws -> Int {
    let name = damage.rawValue >= Damage.logBit.rawValue ? "suzu.db-wal" : "suzu.db"
    var bytes = try #require(files[name])
    let at = Int.random(in: 0..<bytes.count)
    switch damage {
    case .bit, .logBit: bytes[at] ^= 1 << UInt8.random(in: 0..<8)
    case .fourBytes: for index in at..<min(at + 4, bytes.count) { bytes[index] = ~bytes[index] }
    case .zeros: for index in at..<min(at + 512, bytes.count) { bytes[index] = 0 }
    case .randomPage:
      let page = at / 4096 * 4096
      for index in page..<min(page + 4096, bytes.count) { bytes[index] = .random(in: 0...255) }
    case .cut, .logCut: bytes.removeLast(bytes.count - at)
    case .header: for index in 0..<100 { bytes[index] = .random(in: 0...255) }
    case .empty: bytes = []
    case .missing: break
    case .garbage, .logGarbage: bytes = bytes.map { _ in .random(in: 0...255) }
    }
    files[name] = damage == .missing ? nil : bytes
    return at
  }

  @Test func `A damaged store is reported on the screen and in the log, and loses no row silently`() async throws {
    let mutants = Rounds.count(short: 24, long: 500)
    try await FaultStand.run { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      let pending = 40
      let original = try await makeStore(stand, server, pending: pending)
      var (told, harmless, lost, kept) = (0, 0, 0, 0)
      var starts: [Duration] = []
      for mutant in 0..<mutants {
        var files = original
        let damage = Damage.allCases[mutant % Damage.allCases.count]
        let place = try mutate(&files, damage)
        try restore(files, stand)
        let start = ContinuousClock.now
        let (center, name) = try await stand.startReady()
        starts.append(.now - start)
        let rows = try await stand.list("Pending")
        let ids = Set(rows.compactMap { $0["id"]?.string })
        #expect(rows.allSatisfy { $0["title"] == $0["id"] }, "\(damage)")
        #expect(ids.count == rows.count && ids.isSubset(of: (0..<pending).map { "p\($0)" }), "\(damage)")
        kept += ids.count
        // All reports have been posted before this one.
        try await stand.notify("end \(mutant)")
        var news: ScriptedServer.Posted?
        while case let posted = try await server.posted.next(), posted.summary != "end \(mutant)" {
          // The center before this one may have found its damage late, and reported it behind its `end`.
          if posted.summary == Self.title, posted.poster == name { news = posted }
        }
        let missing = pending - ids.count
        lost += missing
        if let news {
          told += 1
          #expect(
            center.readErrors(until: "error: the store was damaged: 'suzu.db.damaged-") != nil,
            "\(damage) at \(place): \(news.body); \(center.errors)")
          #expect(news.body.contains("\(ids.count) pending notification"), "\(damage): \(news.body)")
          let isUncounted = news.body.contains("an unknown number is lost")
          #expect(
            isUncounted || news.body.contains(missing == 0 ? "none is lost" : ", \(missing) lost"),
            "\(damage), \(missing) missing: \(news.body)")
          let name = try #require(news.body.split(separator: " ").last?.dropLast())
          #expect(FileManager.default.fileExists(atPath: stand.store + "/" + name) || damage == .missing)
        } else {
          harmless += 1
          #expect(missing == 0, "silent: \(damage), \(missing) missing; \(center.errors)")
        }
        try await stand.end(center)
        // It is reported once.
        if told == 1, news != nil {
          let (again, _) = try await stand.startReady()
          try await stand.notify("again")
          while case let posted = try await server.posted.next(), posted.summary != "again" {
            #expect(posted.summary != Self.title || posted.replaces != 0)
          }
          try await stand.end(again)
        }
      }
      print(
        "faults: \(mutants) damaged stores: \(told) told of on the screen, \(harmless) without effect, 0 silent;"
          + " \(kept) pending kept, \(lost) lost, with no daily copy; start to name p50 \(starts.percentile(0.5))"
          + " p99 \(starts.percentile(0.99))")
      #expect(told > mutants / 3)
    }
  }

  @Test func `Damage found while the center runs is reported then`() async throws {
    try await FaultStand.run { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      let (center, _) = try await stand.startReady()
      let body = Value.string(String(repeating: "x", count: 2000))
      let many = 4000
      for part in 0..<4 {
        let requests = (0..<many / 4).map { FaultStand.request("p\(part).\($0)", ["in": "9h", "body": body]) }
        try await stand.call("NotifyMany", [.array(of: .properties, requests)])
      }
      // The damage is in the middle of more data than SQLite keeps in memory.
      let file = try FileHandle(forUpdating: URL(filePath: stand.store + "/suzu.db"))
      try file.seek(toOffset: 2 << 20)
      try file.write(contentsOf: Data(repeating: 0xEE, count: 1 << 20))
      try file.close()
      let start = ContinuousClock.now
      // The pages of a large batch stay in memory for a moment.
      repeat { _ = try await stand.list("Pending") } while server.posted.waiting.isEmpty
      let notice = try await server.posted.next()
      let time = [ContinuousClock.now - start].percentile(1)
      let rows = try await stand.list("Pending")
      #expect(notice.summary == Self.title)
      #expect(center.readErrors(until: "error: the store was damaged: 'suzu.db.damaged-") != nil)
      #expect(notice.body.contains("\(rows.count) pending notifications are kept, \(many - rows.count) lost"))
      #expect(rows.count < many && rows.count > many / 2)
      try await stand.notify("end")
      #expect(try await server.posted.next().summary == "end")
      try await stand.end(center)
      print("faults: a store damaged under the center: \(rows.count) of \(many) kept, told of after \(time)")
    }
  }

  @Test func `The store of a newer Suzu is left alone`() async throws {
    try await FaultStand.run { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      var (center, _) = try await stand.startReady()
      try await stand.notify("later", ["in": "1h"])
      try await stand.end(center)
      var files = try files(stand)
      // The version is a big-endian number at byte 60 of the file.
      files["suzu.db"]?[63] += 1
      try restore(files, stand)
      let newer = try stand.start()
      #expect(newer.waitForExit() == 78)
      let lines = newer.errors.split(separator: "\n")
      #expect(lines.count == 1 && lines[0].hasPrefix("suzud: error: ") && lines[0].contains("newer"), "\(newer.errors)")
      let after = try self.files(stand)
      #expect(files.allSatisfy { after[$0.key] == $0.value || $0.key == "suzu.db.lock" })
      #expect(after.allSatisfy { files[$0.key] != nil || $0.value.isEmpty }, "\(after.mapValues(\.count))")
      print("faults: newer schema: refused with 78, '\(lines.first ?? "")'")
      files["suzu.db"]?[63] -= 1
      try restore(files, stand)
      (center, _) = try await stand.startReady()
      #expect(try await stand.list("Pending").map { $0["id"] } == ["later"])
      try await stand.end(center)
      #expect(server.posted.waiting.isEmpty)
    }
  }

  /// Where systemd starts the center, the bus hears of no failure: 'suzu list' waited for 25 seconds, and said only
  /// that.
  @Test func `A call that starts a center which cannot open its store is refused with the reason`() async throws {
    let bus = try PrivateBus(services: [FaultStand.name.text: FaultStand.programs + "/suzud"])
    try await FaultStand.run(on: bus) { stand in
      let (center, _) = try await stand.startReady()
      try await stand.notify("later", ["in": "1h"])
      try await stand.end(center)
      var files = try files(stand)
      files["suzu.db"]?[63] += 1
      try restore(files, stand)
      let refusal = try await stand.refusal("more")
      #expect(refusal?.name == DiskTests.unavailable)
      #expect(refusal?.message.contains("install the newer one again") == true, "\(refusal?.message ?? "none")")
    }
  }

  @Test func `An interrupted first start is repeated`() async throws {
    try await FaultStand.run { stand in
      var kills = 0
      let rounds = Rounds.count(short: 10, long: 200)
      for _ in 0..<rounds {
        try? FileManager.default.removeItem(atPath: stand.store)
        let first = try stand.start()
        // A sleep is meant: the fault comes at a random moment, also at those that no event marks.
        try await stand.loop.sleep(for: .microseconds(.random(in: 0...60_000)))
        first.kill()
        kills += 1
        let (center, _) = try await stand.startReady()
        #expect(!center.errors.contains("damaged"), "\(center.errors)")
        try await stand.notify("later", ["in": "1h"])
        try await stand.end(center)
      }
      print("faults: first start killed \(kills) times, 0 taken for a damaged store")
    }
  }
}

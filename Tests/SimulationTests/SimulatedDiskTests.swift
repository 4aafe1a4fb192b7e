// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Scheduling
import TestSupport
import Testing

/// Tests that the simulated disk loses what was not synced, and nothing else.
@Suite(.serialized) struct SimulatedDiskTests {
  @Test func `A loss of power keeps what was synced, and whole sectors of the rest`() {
    let file = SimulatedFile([])
    Array(repeating: UInt8(1), count: 2_000).withUnsafeBytes { file.write($0, at: 0) }
    file.sync()
    Array(repeating: UInt8(2), count: 1_024).withUnsafeBytes { file.write($0, at: 512) }
    var kinds: Set<[UInt8]> = []
    for seed in 1...60 {
      var random = SeededRandom(UInt64(seed))
      let remains = file.remains(&random)
      #expect(remains.count == 2_000 && remains[0] == 1 && remains[1_999] == 1)
      let sectors = [remains[512..<1_024], remains[1_024..<1_536]].map { Set($0) }
      #expect(sectors.allSatisfy { $0.count == 1 })
      kinds.insert(sectors.map { $0.first ?? 0 })
    }
    // None, both, and each alone: sectors come to the disk in any order.
    #expect(kinds.count == 4)
    #expect(file.content[512] == 2)
  }

  @Test func `A request that the store has accepted survives, and an unsynced change may not`() throws {
    let folder = try TemporaryFolder()
    let disk = SimulatedDisk(folder: folder.path("suzu"))
    defer { disk.unmount() }
    let now = Timestamp(milliseconds: 1_792_800_000_000)
    func store() throws -> Store { try Store(folder: disk.folder) { now } }
    func put(_ id: String, in store: Store) throws {
      let start = Start.at(PlannedDate(due: now + 60_000))
      try store.put([NewRequest(app: "a", id: id, payload: "{}", start: start)], now: now)
    }
    let first = try store()
    try put("synced", in: first)
    #expect(disk.syncs > 0)
    _ = try first.withUnsyncedTransaction(isNew: true) { () throws(StoreError) in
      try first.put(
        [NewRequest(app: "a", id: "unsynced", payload: "{}", start: .at(PlannedDate(due: now + 60_000)))], now: now)
    }
    let killed = disk.image(afterPowerLoss: nil)
    let losses = (1...20).map { disk.image(afterPowerLoss: SeededRandom(UInt64($0))) }
    first.close()
    func ids(_ image: SimulatedDisk.Image) throws -> [String] {
      try disk.restore(image)
      let store = try store()
      defer { store.close() }
      return try store.pending(app: "a").map(\.id).sorted()
    }
    // The kernel has what a killed process has written.
    #expect(try ids(killed) == ["synced", "unsynced"])
    var seen: Set<[String]> = []
    for image in losses { seen.insert(try ids(image)) }
    #expect(seen == [["synced"], ["synced", "unsynced"]])
  }
}

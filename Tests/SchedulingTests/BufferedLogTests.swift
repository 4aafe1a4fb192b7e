// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Scheduling

/// Tests that the pages of a commit are written together, and that none of them stays in the buffer.
@Suite(.timeLimit(.minutes(1)))
struct BufferedLogTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  /// What the next start finds if the process ends now.
  private func idsAfterKill() throws -> Set<String> {
    let (fixture, store) = try StoreFixture.opened(try fixture.files())
    defer { withExtendedLifetime(fixture) { store.close() } }
    try store.check()
    return Set(try store.pending().map(\.id))
  }

  // The largest has more pages than the buffer and the cache of SQLite, which therefore reads some of them back.
  @Test(arguments: [1, 40, 4000], [true, false])
  func `A commit is complete in the file when it returns`(count: Int, isSynced: Bool) throws {
    let store = try fixture.open()
    var expected: Set<String> = []
    for commit in 0..<3 {
      let requests = (0..<count).map { StoreFixture.request("\(commit).\($0)", in: 60 + Int64($0 * 7919 % 1000)) }
      if isSynced {
        try store.put(requests, now: StoreFixture.now)
      } else {
        try store.withUnsyncedTransaction(isNew: true) { () throws(StoreError) in
          _ = try store.put(requests, now: StoreFixture.now)
        }
      }
      expected.formUnion(requests.map(\.id))
      #expect(try idsAfterKill() == expected)
    }
    try store.check()
  }

  @Test func `A transaction that fails leaves nothing in the file, and the next one works`() throws {
    let store = try fixture.open()
    try store.put([StoreFixture.request("before")], now: StoreFixture.now)
    #expect(throws: StoreError.self) {
      try store.withTransaction { () throws(StoreError) in
        _ = try store.put((0..<4000).map { StoreFixture.request("\($0)") }, now: StoreFixture.now)
        throw StoreError(.full, "of this test")
      }
    }
    #expect(try idsAfterKill() == ["before"])
    try store.put([StoreFixture.request("after")], now: StoreFixture.now)
    #expect(try idsAfterKill() == ["before", "after"])
  }

  @Test func `The pages of a large commit are written in few pieces`() throws {
    let folder = try TemporaryFolder()
    let record = folder.path("record")
    let writer = try StoreWriter.start(
      "put", fixture.path, 3000,
      [
        "LD_PRELOAD": try RecordedDisk.build(in: folder), "RECORD_TO": record, "RECORD_FOLDER": fixture.path,
      ])
    while writer.readLine() != nil {}
    // A frame of the -wal does not begin at a multiple of a page, a page of the database does.
    let writes = try RecordedDisk.events(record).filter { $0.kind == .wrote && $0.number % 4096 != 0 }
    let bytes = writes.reduce(0) { $0 + $1.bytes.count }
    #expect(bytes > 1 << 20)
    #expect(bytes / writes.count > 16 << 10)
  }
}

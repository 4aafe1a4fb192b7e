// SPDX-License-Identifier: Apache-2.0
import Foundation
import NotificationModel
import Scheduling
import TestSupport
import Testing

/// Tests that a batch, which is stored in parts, is there whole or not at all, wherever it was interrupted.
@Suite struct StoreBatchTests {
  private let fixture: StoreFixture
  private let now = StoreFixture.now

  init() throws { fixture = try StoreFixture() }

  /// Three parts of four requests; the last of each part is due now, and the last part repeats an id of the first.
  private static let parts: [[NewRequest]] = (0..<3).map { part in
    (0..<4).map { index in
      var request = StoreFixture.request(part == 2 && index == 0 ? "0.0" : "\(part).\(index)", body: "part \(part)")
      if index == 3 { request.start = .now }
      return request
    }
  }

  private static var charges: [Identifier: Account] {
    var sum: Account?
    for request in parts.joined() { if sum?.add(request.charge) == nil { sum = request.charge } }
    return sum.map { [Identifier("org.example.App"): $0] } ?? [:]
  }

  /// Writes all parts but the first.
  private func stage(in store: Store) throws {
    for number in 1..<3 { try store.stage(BatchPart(Self.parts[number]), number: number, charges: Self.charges) }
  }

  private func accept(in store: Store) throws { try store.acceptBatch(BatchPart(Self.parts[0]), now: now) }

  /// The stored ids: those of pending requests, and those to be shown.
  private func ids(_ store: Store) throws -> (pending: Set<String>, due: Set<String>) {
    (Set(try store.pending().map(\.id)), Set(try store.openIntents().map(\.id)))
  }

  private static let all = (
    pending: Set(["0.0", "0.1", "0.2", "1.0", "1.1", "1.2", "2.1", "2.2"]), due: Set(["0.3", "1.3", "2.3"])
  )

  // Parts of the usual size, each of which replaced others, took 90 ms.
  @Test func `A batch that replaces others has smaller parts`() throws {
    let store = try fixture.open()
    let new = (0..<200).map { StoreFixture.request("\($0)") }
    #expect(try store.partLimits(of: new).requests == Store.PartLimits.usual.requests)
    _ = try store.put(Array(new[50..<150]), now: now)
    #expect(try store.partLimits(of: new).requests == Store.PartLimits.replacing.requests)
    #expect(try store.partLimits(of: []).requests == Store.PartLimits.usual.requests)
  }

  @Test func `A batch that was not accepted leaves nothing`() throws {
    var store = try fixture.open()
    try stage(in: store)
    #expect(try ids(store) == ([], []))
    store.close()
    store = try fixture.open()
    #expect(try ids(store) == ([], []))
    #expect(!store.hasBatch)
    try store.check()
  }

  @Test(arguments: 0..<3)
  func `An accepted batch is whole after the store is opened again`(moved: Int) throws {
    var store = try fixture.open()
    try stage(in: store)
    try accept(in: store)
    for number in 0..<moved { try store.moveBatchPart(BatchPart(Self.parts[number + 1]), number: number + 1, now: now) }
    #expect(store.hasBatch == (moved < 2))
    store.close()
    store = try fixture.open()
    #expect(try ids(store) == Self.all)
    #expect(try store.request(app: "org.example.App", id: "0.0")?.payload.contains("part 2") == true)
    #expect(!store.hasBatch)
    try store.check()
  }

  @Test func `A batch tells which requests it replaced and which are due`() throws {
    let store = try fixture.open()
    try store.put([StoreFixture.request("1.1")], now: now)
    try stage(in: store)
    var replaced: [String] = []
    var records = [try store.acceptBatch(BatchPart(Self.parts[0]), now: now) { replaced.append($0.id) }]
    for number in 1..<3 {
      records.append(
        try store.moveBatchPart(BatchPart(Self.parts[number]), number: number, now: now) { replaced.append($0.id) })
    }
    #expect(replaced == ["1.1", "0.0"])
    #expect(
      records.map { $0.map { $0?.id } } == [[nil, nil, nil, "0.3"], [nil, nil, nil, "1.3"], [nil, nil, nil, "2.3"]])
    #expect(try ids(store) == Self.all)
    try store.check()
  }

  @Test func `A new batch first completes an accepted one`() throws {
    let store = try fixture.open()
    try stage(in: store)
    try accept(in: store)
    try store.stage(BatchPart([StoreFixture.request("new")]), number: 1, charges: [:])
    #expect(try ids(store) == Self.all)
    try store.dropBatch()
    #expect(try ids(store) == Self.all)
    #expect(!store.hasBatch)
  }

  // Each part of a batch read the pages of the indexes again.
  @Test func `The pages of a long transaction stay for the next one as long as they are wanted`() throws {
    func bytesRead(isKept: Bool) throws -> UInt64 {
      let store = try StoreFixture().open()
      store.keepsLargeCache = isKept
      let before = try Self.bytesRead()
      for part in 0..<10 {
        // In a random order, so that each part changes pages all over the index.
        let ids = (0..<2000).map { String((part * 2000 + $0) * 7919 % 1_000_003) }
        _ = try store.putInOrder(BatchPart(ids.map { StoreFixture.request($0) }), now: now)
      }
      store.keepsLargeCache = false
      return try Self.bytesRead() - before
    }
    #expect(try bytesRead(isKept: true) < bytesRead(isKept: false) * 3 / 4)
  }

  /// The bytes that this process has read from files.
  private static func bytesRead() throws -> UInt64 {
    let text = try String(contentsOfFile: "/proc/self/io", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("rchar:") }
    return try #require(line.flatMap { UInt64($0.dropFirst("rchar: ".count)) })
  }

  @Test func `A batch beyond the quota of its app is refused before it is accepted`() throws {
    var options = Store.Options()
    options.quotas.pendingBytes = 4000
    let store = try fixture.open(options)
    #expect(throws: StoreError.self) { try stage(in: store) }
    try store.dropBatch()
    #expect(try ids(store) == ([], []))
    #expect(!store.hasBatch)
  }

  @Test func `Every kind of request survives the table of parts`() throws {
    let odd = "\"é\u{1F600}:3:-\n"
    let requests = [
      NewRequest(app: odd, id: odd, payload: odd, start: .armed),
      NewRequest(app: "a", id: "", payload: "", start: .now, wakes: true, asker: "box:\(odd)"),
      NewRequest(
        app: "a", id: "b", payload: "{}",
        start: .at(PlannedDate(due: -5, wall: "2027-01-15T08:00:00", zone: "Europe/Paris", fold: 1)), wakes: true,
        asker: ""),
      NewRequest(
        app: "a", id: "c", payload: "{}", start: .at(PlannedDate(due: .distantFuture, isElapsed: true), passed: 3)),
    ]
    var store = try fixture.open()
    try store.stage(BatchPart(requests), number: 1, charges: [:])
    try store.acceptBatch(BatchPart([]), now: now)
    store.close()
    store = try fixture.open()
    for request in requests where request.start != .now {
      let stored = try #require(try store.request(app: request.app, id: request.id))
      let wait = request.start.date.map { Wait.date($0) } ?? .condition
      #expect(stored.wait == wait && stored.payload == request.payload)
      #expect(stored.wakes == request.wakes && stored.asker == request.asker)
    }
    #expect(try store.openIntents().map(\.id) == [""])
  }
}

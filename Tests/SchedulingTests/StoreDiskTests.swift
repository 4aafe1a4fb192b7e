// SPDX-License-Identifier: Apache-2.0
import Foundation
import Scheduling
import TestSupport
import Testing

/// Tests a store on a disk that fails, is full or is read-only.
@Suite struct StoreDiskTests {
  let fixture: StoreFixture
  let now = StoreFixture.now

  init() throws { fixture = try StoreFixture() }

  @Test(arguments: ["EIO", "ENOSPC", "SHORT"])
  func `Every acknowledgement holds when the disk fails at any call`(kind: String) throws {
    let folder = try TemporaryFolder()
    let library = try FailingDisk.build(in: folder)
    var (refused, acknowledged, openings) = (0, 0, 0)
    // The program makes fewer than 60 calls.
    let calls = 1...60
    for call in calls {
      let fixture = try StoreFixture()
      let done = try RunningProgram.run(
        StoreWriter.path, ["some", fixture.path, "12"],
        environment: ["LD_PRELOAD": library, "FAIL_FIRST": "\(call)", "FAIL_WITH": kind])
      let lines = done.output.split(separator: "\n").map(String.init)
      // It ends by itself: with an error that has a name, where it could not even open, else after all of its requests.
      let isOpened = lines.last?.hasPrefix("end") == true
      #expect(done.status == (isOpened ? 0 : 74), "\(kind) at \(call): \(done)")
      if !isOpened {
        openings += 1
        #expect(lines.last?.hasPrefix("error ") == true, "\(kind) at \(call): \(done)")
      }
      let store = try fixture.open()
      #expect(try store.recoveries() == [], "\(kind) at \(call)")
      for line in lines where line.hasPrefix("ok ") {
        acknowledged += 1
        #expect(try store.request(app: "a", id: String(line.dropFirst(3))) != nil, "\(kind) at \(call): \(line)")
      }
      for line in lines where line.hasPrefix("no ") {
        refused += 1
        let id = String(line.split(separator: " ")[1])
        #expect(try store.request(app: "a", id: id) == nil, "\(kind) at \(call): \(line)")
      }
      try store.check()
    }
    print(
      "store: \(kind) at \(calls.count) places: \(acknowledged) acknowledged and kept, \(refused) refused,"
        + " \(openings) not opened, 0 wrong")
    #expect(acknowledged > calls.count)
    if kind == "EIO" { #expect(refused > 0) }
  }

  @Test func `A failing disk makes the store degraded, and reading goes on`() throws {
    let folder = try TemporaryFolder()
    let library = try FailingDisk.build(in: folder)
    let store = try fixture.open()
    try store.put([StoreFixture.request("old")], now: now)
    store.close()
    let done = try RunningProgram.run(
      StoreWriter.path, ["refused", fixture.path, "8"],
      // From the first commit after the opening on.
      environment: ["LD_PRELOAD": library, "FAIL_FIRST": "3", "FAIL_LAST": "100000", "FAIL_WITH": "EIO"])
    let lines = done.output.split(separator: "\n").map(String.init)
    #expect(lines.last == "end degraded 1", "\(lines)")
    #expect(lines.contains { $0.hasSuffix(" degraded") })
  }

  @Test func `A request is not there after the disk could not sync it`() throws {
    let folder = try TemporaryFolder()
    let library = try FailingDisk.build(in: folder)
    try fixture.open().close()
    for first in 1...4 {
      let done = try RunningProgram.run(
        StoreWriter.path, ["refused", fixture.path, "4"],
        environment: ["LD_PRELOAD": library, "FAIL_FIRST": "\(first)", "FAIL_LAST": "100000", "FAIL_WITH": "SYNC"])
      let lines = done.output.split(separator: "\n").map(String.init)
      #expect(lines.contains { $0.hasPrefix("no ") }, "\(done)")
      let store = try fixture.open()
      for line in lines where line.hasPrefix("no ") {
        let id = String(line.split(separator: " ")[1])
        #expect(try store.request(app: "b", id: id) == nil, "\(first): \(line)")
      }
      try store.check()
      try store.remove(app: "b")
      store.close()
    }
  }

  @Test(.enabled(if: geteuid() == 0 && SmallDisk.isPossible))
  func `A store on a full disk refuses new requests and records the outcomes of old ones`() throws {
    let mount = try SmallDisk(size: "4m")
    let store = try Store(folder: mount.path + "/suzu") { StoreFixture.now }
    var stored = 0
    let refusal = #expect(throws: StoreError.self) {
      while true {
        try store.put([StoreFixture.request("\(stored)", body: String(repeating: "x", count: 2000))], now: now)
        stored += 1
      }
    }
    #expect(refusal?.code == .full)
    #expect(store.health == .full)
    #expect(stored > 300)
    #expect(try store.pendingCount() == stored)
    var delivered = 0
    for request in try store.nearestDue(limit: 100) {
      if try store.recordIntent(request.knownDate, of: request, now: now) != nil { delivered += 1 }
      _ = try store.setNext(nil, fired: 1, of: request.revision)
    }
    print("store: full after \(stored) requests; \(delivered) of 100 deliveries recorded afterwards")
    #expect(delivered == 100)
    #expect(try store.remove(app: "org.example.App") == stored - 100)
    // Room again.
    try mount.remount("size=16m")
    try store.put([StoreFixture.request("new")], now: now)
    #expect(store.health == .good)
    try store.check()
  }

  @Test(.enabled(if: geteuid() == 0 && SmallDisk.isPossible))
  func `A read-only disk is named in the error, and stored rows can be read`() throws {
    let mount = try SmallDisk(size: "8m")
    var store = try Store(folder: mount.path + "/suzu") { StoreFixture.now }
    try store.put([StoreFixture.request("a")], now: now)
    store.close()
    try mount.remount("ro")
    store = try Store(folder: mount.path + "/suzu") { StoreFixture.now }
    #expect(store.health == .readOnly)
    #expect(try store.nearestDue(limit: 5).map(\.id) == ["a"])
    #expect { try store.put([StoreFixture.request("b")], now: now) } throws: { ($0 as? StoreError)?.code == .readOnly }
    store.close()
    try mount.remount("rw")
    store = try Store(folder: mount.path + "/suzu") { StoreFixture.now }
    try store.put([StoreFixture.request("b")], now: now)
    #expect(try store.pendingCount() == 2)
  }
}

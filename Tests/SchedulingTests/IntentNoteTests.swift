// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import SuzuTesting
import TestSupport
import Testing

@testable import Scheduling

/// Tests that a met condition is in the store before it is shown: committed, or noted and committed by the next start.
@Suite struct IntentNoteTests {
  private let source = ScriptedConditions.some
  private let table: Timetable
  private let signal = "signal org.example.Printer.Done"
  private let note = "suzu.db.intent"

  init() throws { table = try Timetable("2026-11-21T12:00:00Z", conditions: [source]) }

  /// Meets the condition of all requests, and returns the files of the store when they were shown.
  private func filesWhenShown(_ event: EventDetails = ["arg0": "7"]) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    let shown = table.scheduler.onDue
    // Not by way of the table, which would keep itself, and its files.
    table.scheduler.onDue = { [fixture = table.fixture] due in
      files = (try? fixture.files()) ?? [:]
      shown(due)
    }
    try source.set(signal, .happened(event: event))
    table.time.runDue()
    return files
  }

  private func isEmpty(_ files: [String: [UInt8]]) -> Bool { files[note]?.allSatisfy { $0 == 0 } == true }

  @Test(arguments: [true, false])
  func `The center may be killed as soon as a request is shown`(repeats: Bool) throws {
    try table.add("a", on: signal, repeats ? ["repeat": .flag(true)] : [:])
    let files = try filesWhenShown()
    #expect(!isEmpty(files))
    let (fixture, store) = try StoreFixture.opened(files)
    func check(_ store: Store) throws {
      let intents = try store.openIntents()
      #expect(intents.map(\.id) == ["a"])
      #expect(intents.first?.event["arg0"] == "7")
      #expect(try store.pending().map(\.fired) == (repeats ? [1] : []))
      #expect(try store.pending().map { $0.armed?.met != nil } == (repeats ? [true] : []))
    }
    try check(store)
    #expect(isEmpty(try fixture.files()))
    store.close()
    // A second start finds nothing to commit.
    try check(try fixture.open())
  }

  @Test func `A note whose commit was made says nothing new`() throws {
    try table.add("a", on: signal, ["repeat": .flag(true)])
    let noted = try filesWhenShown()
    var files = try table.fixture.files()
    #expect(isEmpty(files))
    // As if the center had been killed before it erased the note.
    files[note] = noted[note]
    let (_, store) = try StoreFixture.opened(files)
    #expect(try store.history().count == 1)
    #expect(try store.pending().map(\.fired) == [1])
  }

  @Test func `Requests that are shown together, or with a long event, are committed before`() throws {
    try table.add("long", on: signal)
    let long = try filesWhenShown(
      EventDetails(Dictionary(uniqueKeysWithValues: (0..<8).map { ("arg\($0)", String(repeating: "x", count: 1000)) })))
    #expect(isEmpty(long))
    #expect(try StoreFixture.opened(long).store.openIntents().map(\.id) == ["long"])
    for id in ["a", "b"] { try table.add(id, on: signal) }
    let two = try filesWhenShown()
    #expect(isEmpty(two))
    #expect(try StoreFixture.opened(two).store.openIntents().map(\.id).suffix(2) == ["a", "b"])
  }

  @Test func `A damaged note is ignored`() throws {
    try table.add("a", on: signal)
    let bytes = try #require(try filesWhenShown()[note])
    let written = try #require(IntentNote(bytes)).bytes
    #expect(IntentNote(bytes) == IntentNote(written))
    for index in written.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      #expect(IntentNote(damaged) == nil, "byte \(index)")
      #expect(IntentNote(Array(written[..<index])) == nil)
    }
    #expect(IntentNote([UInt8](repeating: 0, count: IntentFile.size)) == nil)
  }

  @Test(arguments: [Int64.min, -1_000_000, -1, 0, 9, 10, .max]) func `A note keeps each number`(_ number: Int64) {
    let note = IntentNote(
      revision: StoredRequest.Revision(number), fired: number, isRepeated: true, date: Timestamp(milliseconds: number),
      missed: number, event: ["a": "", "b": "ü"], armed: ArmedState())
    #expect(IntentNote(note.bytes) == note)
  }

  @Test func `A note that cannot be committed stays until it can`() throws {
    try table.add("a", on: signal)
    _ = try table.store.write(.needed) { database throws(StoreError) in
      try database.run("CREATE TRIGGER failing BEFORE INSERT ON delivery BEGIN SELECT RAISE(ABORT, 'no'); END")
    }
    let (fixture, store) = try StoreFixture.opened(try filesWhenShown())
    #expect(store.warnings.count == 1)
    #expect(try store.openIntents() == [])
    // Opened again, as after a failing disk, it must not take the place of the note.
    try store.tryAgain()
    #expect(store.intentFile == nil)
    #expect(!isEmpty(try fixture.files()))
    _ = try store.write(.needed) { database throws(StoreError) in try database.run("DROP TRIGGER failing") }
    store.close()
    #expect(try fixture.open().openIntents().map(\.id) == ["a"])
  }

  @Test func `Numbers of deliveries stay unique when the commit of a noted one fails`() throws {
    try table.add("a", on: signal)
    _ = try table.store.write(.needed) { database throws(StoreError) in
      try database.run("CREATE TEMP TRIGGER failing BEFORE INSERT ON delivery BEGIN SELECT RAISE(ABORT, 'no'); END")
    }
    #expect(!isEmpty(try filesWhenShown()))
    let number = try #require(table.due.first?.record?.delivery)
    _ = try table.store.write(.needed) { database throws(StoreError) in try database.run("DROP TRIGGER failing") }
    // A push is not noted in its place.
    let push = NewRequest(app: "test", id: "push", payload: "{}", start: .now)
    let record = PushRecord(app: "test", id: "push", lapses: nil)
    #expect(table.store.noteDelivery(of: record, push, now: table.time.wall) == nil)
    // Another request comes before the failed one is recorded.
    let other = try table.scheduler.plan(try NotificationRequest(app: "test", id: "b", title: "b"))
    #expect(try table.store.putDue([other], now: table.time.wall).first.map { $0.number > number } == true)
    table.time.pass(days: 1)
    #expect(table.titles == ["a"])
    #expect(try table.states("a") == ["closed"])
    #expect(try table.store.delivery(number)?.id == "a")
    #expect(isEmpty(try table.fixture.files()))
  }
}

// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import SuzuTesting
import TestSupport
import Testing

@testable import Scheduling

/// Tests that a push is in the store before it is shown: stored, or noted and stored by the next start.
@Suite final class PushNoteTests {
  private let fixture: StoreFixture
  private let store: Store
  private let journal: Journal
  private var shown: [DeliveryRecord] = []
  private static let app = "org.example.Tea"

  init() throws {
    fixture = try StoreFixture()
    store = try fixture.open()
    journal = Journal(store: store, time: VirtualTime(StoreFixture.now))
  }

  private func push(_ id: String?) -> PushRecord {
    PushRecord(
      app: Self.app, id: id, lapses: StoreFixture.now + 60_000, route: AnswerRoute(link: "home", place: "tea/1"))
  }

  private func request(_ id: String, payload: String = #"{"title": "Tea"}"#) -> NewRequest {
    NewRequest(app: Self.app, id: id, payload: payload, start: .now, asker: "link")
  }

  /// Shows a push, and returns the files of the store at that moment; nil if it must be stored first.
  private func filesWhenShown(_ push: PushRecord, _ request: NewRequest) throws -> [String: [UInt8]]? {
    var files: [String: [UInt8]] = [:]
    let result = journal.showBeforeCommit(push, request, now: StoreFixture.now) { delivery in
      files = (try? fixture.files()) ?? [:]
      shown.append(delivery)
    } storing: { _ in
    }
    return try result.map { result in
      try result.get()
      return files
    }
  }

  private func isEmpty(_ files: [String: [UInt8]]) -> Bool { files["suzu.db.intent"]?.allSatisfy { $0 == 0 } == true }

  @Test(arguments: ["one", nil]) func `The center may be killed as soon as a push is shown`(id: String?) throws {
    let files = try #require(try filesWhenShown(push(id), request("a")))
    #expect(!isEmpty(files))
    #expect(isEmpty(try fixture.files()))
    #expect(try store.openIntents().map(\.number) == shown.map(\.number))
    let (next, opened) = try StoreFixture.opened(files)
    func check(_ store: Store) throws {
      #expect(try store.openIntents().map(\.id) == ["a"])
      #expect(try store.openIntents().map(\.number) == shown.map(\.number))
      let stored = try #require(try store.request(app: Self.app, id: "a"))
      #expect(stored.payload == #"{"title": "Tea"}"# && stored.asker == "link")
      #expect(stored.revision == shown.first?.revision)
      #expect(try store.lapse(of: try #require(shown.first).number) == StoreFixture.now + 60_000)
      if let id { #expect(try store.request(ofPush: id, of: Self.app, now: StoreFixture.now) == "a") }
    }
    try check(opened)
    #expect(isEmpty(try next.files()))
    opened.close()
    // A second start finds nothing to store.
    try check(try next.open())
  }

  @Test func `A note whose push was stored says nothing new`() throws {
    let noted = try #require(try filesWhenShown(push("one"), request("a")))
    var files = try fixture.files()
    // As if the center had been killed before it erased the note.
    files["suzu.db.intent"] = noted["suzu.db.intent"]
    let (_, opened) = try StoreFixture.opened(files)
    #expect(try opened.history().count == 1)
  }

  @Test func `A push is stored first if it is known, replaces a request, is long, or is not alone`() throws {
    _ = try #require(try filesWhenShown(push("one"), request("a")))
    // In quick succession, pushes share a commit.
    #expect(try filesWhenShown(push("two"), request("b")) == nil)
    func attempt(_ push: PushRecord, _ request: NewRequest) throws -> Bool {
      let journal = Journal(store: store, time: VirtualTime(StoreFixture.now))
      return journal.showBeforeCommit(push, request, now: StoreFixture.now, show: { _ in }, storing: { _ in }) != nil
    }
    #expect(try !attempt(push("one"), request("c")))
    #expect(try !attempt(push("two"), request("a")))
    #expect(try !attempt(push("two"), request("d", payload: String(repeating: "x", count: IntentFile.size))))
    journal.note { _ in }
    #expect(try filesWhenShown(push("two"), request("e")) == nil)
    #expect(try attempt(push("two"), request("e")))
    #expect(try store.history().map(\.id).sorted() == ["a", "e"])
  }

  @Test func `A push that cannot be stored is refused, and is not stored by the next start`() throws {
    _ = try store.write(.needed) { database throws(StoreError) in
      try database.run("CREATE TEMP TRIGGER failing BEFORE INSERT ON delivery BEGIN SELECT RAISE(ABORT, 'no'); END")
    }
    #expect(throws: StoreError.self) { try filesWhenShown(push("one"), request("a")) }
    #expect(shown.count == 1)
    #expect(isEmpty(try fixture.files()))
    _ = try store.write(.needed) { database throws(StoreError) in try database.run("DROP TRIGGER failing") }
    // Its number is not given again: its notification may still be on its way.
    let later = try store.putDue([request("b")], now: StoreFixture.now)
    #expect(later.first.map { $0.number > shown[0].number } == true)
    store.close()
    #expect(try fixture.open().history().map(\.id) == ["b"])
  }

  @Test func `A damaged note is ignored`() throws {
    let files = try #require(try filesWhenShown(push(nil), request("a")))
    let bytes = try #require(files["suzu.db.intent"])
    let note = try #require(PushNote(bytes))
    #expect(note.push == push(nil) && note.request == request("a") && IntentNote(bytes) == nil)
    #expect(PushNote(note.bytes) == note)
    for index in note.bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      #expect(PushNote(damaged) == nil, "byte \(index)")
      #expect(PushNote(Array(note.bytes[..<index])) == nil)
    }
  }
}

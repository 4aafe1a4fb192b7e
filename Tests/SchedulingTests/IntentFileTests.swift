// SPDX-License-Identifier: Apache-2.0
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import Scheduling

/// Tests where notes are written, and that a note of a killed center is found there.
@Suite struct IntentFileTests {
  private let push = PushRecord(app: "org.example.App", id: "push", lapses: nil)

  /// Notes a push in a store, as before it is shown. The caller keeps the store open, like a center that is killed.
  private func note(_ request: NewRequest, in store: Store) throws {
    _ = try #require(store.noteDelivery(of: push, request, now: StoreFixture.now))
  }

  private func request(_ id: String) -> NewRequest {
    NewRequest(app: "org.example.App", id: id, payload: #"{"id":"\#(id)","body":"b"}"#, start: .now)
  }

  /// The files for notes in the folder of a session.
  private func files(in session: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: session + "/suzu")) ?? []).sorted()
  }

  /// A copy of the store as it is now, which nothing has open.
  private func copy(of fixture: StoreFixture) throws -> StoreFixture {
    let copy = try StoreFixture()
    try copy.open().close()
    try copy.restore(try fixture.files())
    return copy
  }

  @Test(arguments: [true, false]) func `A note is in the file at once, in memory and on a disk`(onDisk: Bool) throws {
    let fixture = try StoreFixture(onDisk: onDisk)
    try FileManager.default.createDirectory(atPath: fixture.path, withIntermediateDirectories: false)
    let path = fixture.file("note")
    let file = try IntentFile(path)
    let bytes = NoteForm.bytes(of: ["one", "two"])
    #expect(IntentFile.read(path) == nil)
    #expect(file.write(bytes))
    #expect(IntentFile.read(path).flatMap(NoteForm.texts(in:)) == ["one", "two"])
    #expect(!file.write([UInt8](repeating: 1, count: IntentFile.size + 1)))
    #expect(try IntentFile(path).isNoted == false)
    #expect(IntentFile.read(path) != nil, "opened again, it keeps its note")
    file.erase()
    #expect(try fixture.bytes("note") == [UInt8](repeating: 0, count: IntentFile.size))
  }

  @Test func `A note in the folder of the session is found by the next start, and by no other store`() throws {
    let session = try StoreFixture()
    let (fixture, other) = (try StoreFixture(), try StoreFixture())
    try FileManager.default.createDirectory(
      atPath: session.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    func open(_ fixture: StoreFixture) throws -> Store {
      try Store(folder: fixture.path, session: session.path) { StoreFixture.now }
    }
    let store = try open(fixture)
    try note(request("a"), in: store)
    #expect(try fixture.files()["suzu.db.intent"] == nil)
    #expect(files(in: session.path).count == 1)
    #expect(try open(other).openIntents() == [])
    #expect(files(in: session.path).count == 2)
    // As if killed: what is in the store's own folder is put back after the store has been closed.
    let killed = try fixture.files()
    let name = try #require(files(in: session.path).first { $0.contains("-\(try inode(of: fixture.path)).") })
    let noted = try Data(contentsOf: URL(filePath: "\(session.path)/suzu/\(name)"))
    store.close()
    try fixture.restore(killed)
    try noted.write(to: URL(filePath: "\(session.path)/suzu/\(name)"))
    let next = try open(fixture)
    #expect(try next.openIntents().map(\.id) == ["a"])
    let bytes = try Data(contentsOf: URL(filePath: "\(session.path)/suzu/\(name)"))
    #expect(bytes.allSatisfy { $0 == 0 })
  }

  private func inode(of path: String) throws -> UInt64 {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.systemFileNumber] as? NSNumber).uint64Value
  }

  @Test func `A note beside the database is found when there is a session folder`() throws {
    let session = try StoreFixture()
    let fixture = try StoreFixture()
    let store = try fixture.open()
    try note(request("a"), in: store)
    let killed = try copy(of: fixture)
    try FileManager.default.createDirectory(
      atPath: session.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let next = try Store(folder: killed.path, session: session.path) { StoreFixture.now }
    #expect(try next.openIntents().map(\.id) == ["a"])
    #expect(try killed.files()["suzu.db.intent"]?.allSatisfy { $0 == 0 } == true)
    try note(request("b"), in: next)
    #expect(try killed.files()["suzu.db.intent"]?.allSatisfy { $0 == 0 } == true)
  }

  @Test(arguments: ["missing", "open to others", "a link"])
  func `A session folder that is not the user's alone is not used`(fault: String) throws {
    let session = try StoreFixture()
    let fixture = try StoreFixture()
    if fault != "missing" {
      try FileManager.default.createDirectory(
        atPath: session.path + "/suzu", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
    }
    if fault == "a link" {
      try FileManager.default.moveItem(atPath: session.path + "/suzu", toPath: session.path + "/elsewhere")
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: session.path + "/elsewhere")
      try FileManager.default.createSymbolicLink(
        atPath: session.path + "/suzu", withDestinationPath: session.path + "/elsewhere")
    } else if fault == "open to others" {
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: session.path + "/suzu")
    }
    let store = try Store(folder: fixture.path, session: session.path) { StoreFixture.now }
    try note(request("a"), in: store)
    #expect(try fixture.files()["suzu.db.intent"].map { IntentFile.size == $0.count } == true)
    #expect(files(in: session.path) == [])
    #expect(try StoreFixture.opened(try fixture.files()).store.openIntents().map(\.id) == ["a"])
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Scheduling
import TestSupport

/// What `store-writer live` has said: what must be in its store, and what may be there because it was being written.
struct Promises {
  /// Of each request, as the writer puts it; `gone` as well.
  private var acknowledged: [String: String] = [:]
  private var tried: [String: String] = [:]
  private var isOpen = false
  /// The last name given to a copy, and the last copy that was reported complete.
  private var copies: (named: String?, promised: String?) = (nil, nil)
  /// How many commits were acknowledged.
  private(set) var commits = 0
  /// The number of copies that were reported complete.
  private(set) var wholeCopies = 0

  mutating func hear(_ event: RecordedDisk.Event) {
    if event.kind == .renamed { copies.named = event.text.split(separator: "/").last.map(String.init) }
    guard event.kind == .said else { return }
    let words = event.text.split { $0 == " " || $0 == "\n" }
    switch words.first {
    case "open": isOpen = true
    case "copied":
      copies.promised = copies.named
      wholeCopies += 1
    case "try":
      for word in words.dropFirst() {
        let parts = word.split(separator: "=").map(String.init)
        tried[parts[0]] = parts[1]
      }
    default:
      commits += 1
      acknowledged.merge(tried) { $1 }
      tried = [:]
    }
  }

  /// Another store.
  mutating func forgetAll() {
    let (commits, wholeCopies) = (commits, wholeCopies)
    self = Promises()
    (self.commits, self.wholeCopies) = (commits, wholeCopies)
  }

  /// The same store with another writer, which may purge ended requests; the power failure decides about unfinished
  /// calls.
  mutating func keepPending() {
    for id in tried.keys { acknowledged[id] = nil }
    tried = [:]
    acknowledged = acknowledged.filter { $0.value.hasPrefix("0.") && $0.value.hasSuffix(".0.0") }
    copies = (nil, nil)
  }

  /// The errors of the store that is opened in the fixture's folder.
  func faults(in fixture: StoreFixture) -> [String] {
    do {
      if isOpen, !FileManager.default.fileExists(atPath: fixture.file("suzu.db")) { return ["there is no database"] }
      let copy = try copies.promised.map { name in try fixture.bytes(name) }
      let store = try fixture.open()
      defer { store.close() }
      if let recovery = try store.recoveries().first { return ["reported as damaged: \(recovery)"] }
      try store.check()
      var faults = try differences(in: store)
      // It goes on with it.
      try store.put([StoreFixture.request("new")], now: StoreFixture.now)
      store.close()
      if let copy { faults += try faultsOfCopy(copy) }
      return faults
    } catch {
      return ["\(error)"]
    }
  }

  private func differences(in store: Store) throws -> [String] {
    var faults: [String] = []
    for (id, promise) in acknowledged where tried[id] == nil {
      let found = try Self.state(of: id, in: store)
      if found != promise { faults.append("\(id) is \(found), not \(promise)") }
    }
    // All of the last commit or nothing of it.
    let states = try tried.map { id, state in
      (found: try Self.state(of: id, in: store), old: acknowledged[id] ?? "gone", new: state)
    }
    if !states.allSatisfy({ $0.found == $0.old }), !states.allSatisfy({ $0.found == $0.new }) {
      faults.append("half of a commit: \(states)")
    }
    let pending = try store.pending().count
    if try store.pendingCount() != pending { faults.append("\(try store.pendingCount()) are counted, not \(pending)") }
    if try store.pendingCount(app: "a") != pending { faults.append("the app's count is not \(pending)") }
    return faults
  }

  private static func state(of id: String, in store: Store) throws -> String {
    guard let request = try store.request(app: "a", id: id) else { return "gone" }
    let shown = try store.onScreen(app: "a", id: id)
    let answers = try shown.reduce(0) { count, delivery in try count + store.responses(to: delivery.number).count }
    return
      "\(request.state.rawValue).\(request.payload.prefix { $0 != " " }).\(request.payload.utf8.count)"
      + ".\(shown.count).\(answers)"
  }

  private func faultsOfCopy(_ bytes: [UInt8]) throws -> [String] {
    let fixture = try StoreFixture()
    try FileManager.default.createDirectory(
      atPath: fixture.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try fixture.write(bytes, "suzu.db")
    let store = try fixture.open()
    defer { store.close() }
    try store.check()
    return try store.recoveries().map { "the copy is damaged: \($0)" }
  }
}

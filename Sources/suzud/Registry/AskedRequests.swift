// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// The requests whose askers wait for the answer, each with its asker, kept in the store: after a restart of the
/// center, a question whose asker has gone must leave the screen, too. Confined to the loop's thread.
final class AskedRequests {
  private let store: Store
  private var askers: [RequestKey: Caller] = [:]
  /// Those whose askers have gone, and that were not withdrawn yet.
  private(set) var orphans: Set<RequestKey> = []

  init(store: Store) { self.store = store }

  /// Loads the requests of the earlier run, and returns their askers. Those that were asked on another bus have none:
  /// the names of their askers belong to other programs now.
  func load(onBus bus: String?) -> Set<Caller> {
    for (name, value) in (try? store.settings(withPrefix: Self.prefix)) ?? [] {
      // It may have been asked again since the start.
      guard let key = Self.key(of: name), askers[key] == nil else { continue }
      let parts = value.split(separator: " ", maxSplits: 1)
      askers[key] = parts.count == 2 && parts[0] == bus ?? "" ? Caller(named: String(parts[1])) : nil
      if askers[key] == nil { orphans.insert(key) }
    }
    return Set(askers.values)
  }

  var count: Int { askers.count }

  func isAsked(_ key: RequestKey) -> Bool { askers[key.base] != nil }

  func keys(of asker: Caller) -> [RequestKey] { askers.filter { $0.value == asker }.map(\.key) }

  /// The asker has gone.
  func orphan(_ keys: [RequestKey]) {
    for key in keys { askers[key] = nil }
    orphans.formUnion(keys)
  }

  private func isKnown(_ key: RequestKey) -> Bool { askers[key] != nil || orphans.contains(key) }

  /// Writes who asks requests, in the transaction that stores them. The asker of an earlier request with the same id
  /// is not that of this one.
  ///
  /// - Parameter asker: the caller and its bus; nil if no caller waits for the answers.
  func write(_ requests: [NotificationRequest], askedBy asker: (caller: Caller, bus: String)?) throws(StoreError) {
    if asker == nil && askers.isEmpty && orphans.isEmpty { return }
    for request in requests {
      let key = RequestKey(request)
      guard asker != nil || isKnown(key) else { continue }
      try store.set(Self.name(of: key), to: asker.map { "\($0.bus) \($0.caller.text)" })
    }
  }

  /// The same in memory, after the commit.
  func note(_ requests: [NotificationRequest], askedBy asker: Caller?) {
    if asker == nil && askers.isEmpty && orphans.isEmpty { return }
    for request in requests {
      let key = RequestKey(request)
      askers[key] = asker
      orphans.remove(key)
    }
  }

  /// Forgets requests that have ended.
  func forget(_ keys: some Collection<RequestKey>, _ journal: Journal) {
    if keys.isEmpty { return }
    for key in keys {
      askers[key] = nil
      orphans.remove(key)
    }
    let names = keys.map(Self.name(of:))
    journal.note { store throws(StoreError) in
      for name in names { try store.set(name, to: nil) }
    }
  }

  // MARK: Rows

  private static let prefix = "asked/"

  /// An app's id may contain slashes, so its length comes first.
  private static func name(of key: RequestKey) -> String { prefix + "\(key.app.utf8.count)/\(key.app)/\(key.id)" }

  private static func key(of name: String) -> RequestKey? {
    let rest = name.utf8.dropFirst(prefix.utf8.count)
    guard let slash = rest.firstIndex(of: UInt8(ascii: "/")),
      let count = Int(String(decoding: rest[..<slash], as: UTF8.self))
    else { return nil }
    let parts = rest[rest.index(after: slash)...]
    guard count >= 0, parts.count > count else { return nil }
    return RequestKey(
      app: String(decoding: parts.prefix(count), as: UTF8.self),
      id: String(decoding: parts.dropFirst(count + 1), as: UTF8.self))
  }
}

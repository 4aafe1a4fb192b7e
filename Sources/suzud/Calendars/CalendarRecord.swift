// SPDX-License-Identifier: Apache-2.0
internal import Calendars
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// The followed calendars in the store: a setting for each calendar, and one for each of its files, so that a change of
/// one event writes one row.
struct CalendarRecord {
  private let loop: EventLoop
  private let store: Store
  private let writer: RequestWriter

  /// How many rows one transaction writes.
  private static let rowsOfATurn = 200
  private static let prefix = "calendar/"
  private static let filePrefix = "calendar-file/"
  private static let absentName = ".absent"

  init(on loop: EventLoop, store: Store, writer: RequestWriter) {
    (self.loop, self.store, self.writer) = (loop, store, writer)
  }

  // MARK: Calendars

  /// The followed calendars, by path.
  func calendars() -> [FollowedCalendar] {
    ((try? store.settings(withPrefix: Self.prefix)) ?? []).compactMap { row in
      guard case .dictionary(let words)? = try? JSONReader.read(row.value) else { return nil }
      return try? FollowedCalendar(words)
    }
  }

  func add(_ calendar: FollowedCalendar) throws(StoreError) {
    let words = calendar.plain.filter { $0.key != "alarms" && $0.key != "problems" }
    try set([(Self.prefix + calendar.path, PlainValue.dictionary(words).json)])
  }

  /// Forgets a calendar and what it said.
  func remove(_ path: String) async throws(StoreError) {
    let rows = try store.settings(withPrefix: Self.filePrefix(of: path)).map { ($0.name, nil as String?) }
    try set([(Self.prefix + path, nil)])
    try await write(rows)
  }

  // MARK: What they said

  /// What a calendar said last.
  func known(of path: String) async -> KnownAlarms {
    let prefix = Self.filePrefix(of: path)
    var (known, slices) = (KnownAlarms(), loop.slices)
    for row in (try? store.settings(withPrefix: prefix)) ?? [] {
      let name = String(decoding: row.name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
      var lines = row.value.split(separator: "\n", omittingEmptySubsequences: false)[...]
      let stamp = name == Self.absentName ? "" : lines.popFirst().map { String($0) } ?? ""
      var alarms: [KnownAlarms.Key: CalendarMark] = [:]
      for line in lines {
        await slices.pause()
        if let (key, mark) = KnownAlarms.alarm(line) { alarms[key] = mark }
      }
      if name == Self.absentName {
        known.absent = alarms
      } else {
        known.files[name] = KnownAlarms.File(stamp: stamp, alarms: alarms)
      }
    }
    return known
  }

  /// Stores what some files say, and removes others. Not synced at once: if it is lost, the files are read again.
  func keep(
    _ known: KnownAlarms, of path: String, files: some Sequence<String>, withAbsent: Bool
  ) async throws(StoreError) {
    let prefix = Self.filePrefix(of: path)
    var (rows, slices) = ([(String, String?)](), loop.slices)
    for name in files {
      let text: String? = if let file = known.files[name] { await KnownAlarms.text(file, &slices) } else { nil }
      rows.append((prefix + name, text))
    }
    if withAbsent {
      let text = known.absent.isEmpty ? nil : await KnownAlarms.text(known.absent, &slices)
      rows.append((prefix + Self.absentName, text))
    }
    try await write(rows)
  }

  /// A digest, because a path may be long; the longest name of a file may follow.
  private static func filePrefix(of path: String) -> String {
    let digest = path.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return filePrefix + String(digest, radix: 16) + "/"
  }

  private func set(_ rows: [(String, String?)]) throws(StoreError) {
    try store.withNeededTransaction { () throws(StoreError) in
      for (name, text) in rows { try store.set(name, to: text) }
    }
  }

  private func write(_ rows: [(String, String?)]) async throws(StoreError) {
    for start in stride(from: 0, to: rows.count, by: Self.rowsOfATurn) {
      if start > 0 { await loop.nextTurn() }
      let part = rows[start..<min(start + Self.rowsOfATurn, rows.count)]
      try await writer.write(sync: .withLater) { store throws(StoreError) in
        for (name, text) in part { try store.set(name, to: text) }
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import Calendars
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Brings what is pending in line with a calendar.
final class CalendarUpdate {
  private let loop: EventLoop
  private let store: Store
  private let reading: CalendarReading
  private let record: CalendarRecord
  private let requests: Requests
  private let withdrawals: Withdrawals

  init(
    on loop: EventLoop, store: Store, reading: CalendarReading, record: CalendarRecord, requests: Requests,
    withdrawals: Withdrawals
  ) {
    self.loop = loop
    self.store = store
    self.reading = reading
    self.record = record
    self.requests = requests
    self.withdrawals = withdrawals
  }

  /// Reads what has changed, and carries it out. An error of the store leaves the state as it was, to be tried again.
  ///
  /// - Parameter others: the other calendars. What they have as well stays.
  func run(_ state: CalendarState, _ others: [CalendarState]) async throws(CenterError) {
    let found: CalendarFiles
    do throws(CalendarFiles.Obstacle) {
      found = try await CalendarFiles(of: state.calendar.path, on: loop)
    } catch {
      // A drive that is not mounted is no reason to withdraw anything.
      return state.trouble = error.reason
    }
    state.trouble = nil
    state.obstacles = found.obstacles.map(\.reason)
    let gone = Set(
      state.known.files.keys.filter { name in
        found.stamps[name] == nil && !found.obstacles.contains { name.hasPrefix($0.folder) }
      })
    let names = state.unread(found.stamps)
    var read = await reading.read(names, of: state.calendar)
    if let general = read.values.first(where: \.isGeneral) {
      state.readAgain()
      return state.trouble = general.problem
    }
    for name in names {
      guard let report = read[name], let stamp = found.stamps[name] else { continue }
      state.note(report, on: name, stamp: stamp)
      // The last good state of the file stays.
      if report.problem != nil { read[name] = nil }
    }
    state.forgetNotes(about: state.notes.keys.filter { found.stamps[$0] == nil })
    guard !read.isEmpty || !gone.isEmpty else { return }
    try await carryOut(state, others, &read, gone, found.stamps)
  }

  private func carryOut(
    _ state: CalendarState, _ others: [CalendarState], _ read: inout [String: CalendarReport], _ gone: Set<String>,
    _ stamps: [String: String]
  ) async throws(CenterError) {
    var slices = loop.slices
    let changes = await state.known.changes(read: read, gone: gone, &slices)
    for (name, problem) in try await submit(changes.wanted) {
      let path = CalendarFiles.path(of: name, in: state.calendar.path)
      state.note(CalendarReport(problem: "\(path): \(problem)"), on: name, stamp: stamps[name] ?? "")
      read[name] = nil
    }
    let absentBefore = state.known.absent
    let absent = try await withdraw(changes.gone, others).absent
    _ = try await withdraw(changes.past, others)
    for (name, report) in read { state.known.take(name, report, stamp: stamps[name] ?? "") }
    for name in gone { state.known.files[name] = nil }
    state.known.absent.merge(absent) { $1 }
    while state.known.absent.count > KnownAlarms.mostAbsent {
      state.known.absent.remove(at: state.known.absent.startIndex)
    }
    do throws(StoreError) {
      try await record.keep(
        state.known, of: state.calendar.path, files: Set(read.keys).union(gone),
        withAbsent: state.known.absent != absentBefore)
    } catch {
      throw CenterError(error)
    }
  }

  // MARK: Requests

  /// Stores the requests; returns the problems of files with one that the center refuses.
  private func submit(_ wanted: [KnownAlarms.Changes.Wanted]) async throws(CenterError) -> [String: String] {
    var (new, slices) = ([(file: String, request: NotificationRequest)](), loop.slices)
    var problems: [String: String] = [:]
    for one in wanted {
      await slices.pause()
      if one.mustBePending, try !isPending(KnownAlarms.Key(one.entry)) { continue }
      guard let value = try? JSONReader.read(one.entry.json), case .dictionary(let words) = value,
        let request = try? NotificationRequest(words)
      else {
        problems[one.file] = "an alarm cannot be read"
        continue
      }
      new.append((one.file, request))
    }
    if new.isEmpty { return problems }
    // If one of them is refused, all others are stored.
    if try await store(new.map(\.request)) == nil { return problems }
    for one in new {
      guard let refusal = try await store([one.request]) else { continue }
      // Otherwise its last date passed a moment ago.
      if refusal.code != .inThePast { problems[one.file] = refusal.message }
    }
    return problems
  }

  /// Returns why they are refused; nil if they are stored.
  private func store(_ new: [NotificationRequest]) async throws(CenterError) -> CenterError? {
    do {
      _ = try await requests.notify(.all, from: nil, isLong: false) { new }
      return nil
    } catch {
      let refusal = (error as? CenterError) ?? CenterError(.unavailable, "\(error)")
      if refusal.code == .unavailable { throw refusal }
      return refusal
    }
  }

  private func isPending(_ key: KnownAlarms.Key) throws(CenterError) -> Bool {
    do throws(StoreError) { return try store.request(app: key.app.text, id: key.id.text)?.wait != nil } catch {
      throw CenterError(error)
    }
  }

  /// Cancels all requests of a calendar; returns how many were pending.
  func withdrawAll(_ state: CalendarState, _ others: [CalendarState]) async throws(CenterError) -> Int {
    var slices = loop.slices
    return try await withdraw(await state.known.marks(&slices), others).count
  }

  /// Cancels requests that no other calendar has; returns how many, and those that were not pending.
  private func withdraw(
    _ gone: [KnownAlarms.Key: CalendarMark], _ others: [CalendarState]
  ) async throws(CenterError) -> (count: Int, absent: [KnownAlarms.Key: CalendarMark]) {
    var (gone, slices) = (gone, loop.slices)
    if gone.isEmpty { return (0, [:]) }
    for other in others { for key in await other.known.marks(&slices).keys { gone[key] = nil } }
    var ids: [Identifier: [String]] = [:]
    var absent: [KnownAlarms.Key: CalendarMark] = [:]
    for (key, mark) in gone {
      await slices.pause()
      if try !isPending(key) { absent[key] = mark }
      // Also if it is not pending: a button may have postponed it.
      ids[key.app, default: []].append(key.id.text)
    }
    var count = 0
    for (app, ids) in ids { count += try await withdrawals.cancel(app.text, ids, .all, from: nil) }
    return (count, absent)
  }
}

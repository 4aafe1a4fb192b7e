// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Follows calendars: what changes there changes what is pending. Confined to the loop's thread.
///
/// The kernel reports changes; nothing is done while there are none. One calendar is read at a time.
final class CalendarFollower {
  private let loop: EventLoop
  private let record: CalendarRecord
  private let update: CalendarUpdate
  private var states: [String: CalendarState] = [:]
  private var watch: FolderWatch?
  /// Why changes are not seen; nil if they are.
  private var watchFailure: String?
  /// Held while a calendar is being worked on.
  private let turn: TaskLock

  /// A burst of changes, such as a synchronization, is read at once.
  private static let pause: Duration = .milliseconds(100)
  /// When it tries again after an error of the store.
  private static let retryPause: Duration = .seconds(10)

  init(on loop: EventLoop, record: CalendarRecord, update: CalendarUpdate) {
    (self.loop, self.record, self.update) = (loop, record, update)
    turn = TaskLock(on: loop)
  }

  // MARK: Running

  /// Continues with the calendars of the last run, and takes up what has changed since.
  func begin() {
    let calendars = record.calendars()
    if calendars.isEmpty { return }
    loop.start { await self.resume(calendars) }
  }

  private func resume(_ calendars: [FollowedCalendar]) async {
    await turn.take()
    for calendar in calendars {
      let state = CalendarState(calendar)
      state.known = await record.known(of: calendar.path)
      states[calendar.path] = state
      state.findFolders()
      await loop.nextTurn()
    }
    follow()
    turn.release()
    for calendar in calendars { if let state = states[calendar.path] { await look(at: state) } }
  }

  func end() {
    watch?.cancel()
    watch = nil
    for state in states.values {
      state.deadline?.cancel()
      state.hasEnded = true
    }
  }

  // MARK: Calls

  /// The calendars, by path.
  func all() async -> [FollowedCalendar] {
    await turn.take()
    defer { turn.release() }
    return states.values.map(\.shown).sorted { $0.path < $1.path }
  }

  /// Follows a calendar, or follows it in another way, and reads it at once. A calendar that cannot be read at all is
  /// refused.
  func add(_ calendar: FollowedCalendar) async throws(CenterError) -> FollowedCalendar {
    await turn.take()
    defer { turn.release() }
    let old = states[calendar.path]
    guard old != nil || states.count < FollowedCalendar.most else {
      throw CenterError(.limitExceeded, "\(states.count) calendars; at most \(FollowedCalendar.most) can be followed")
    }
    let state = old ?? CalendarState(calendar)
    let before = state.calendar
    state.follow(as: calendar)
    do throws(StoreError) { try record.add(calendar) } catch { throw CenterError(error) }
    states[calendar.path] = state
    state.findFolders()
    follow()
    do throws(CenterError) {
      try await update.run(state, others(than: state))
      if let problem = state.trouble ?? state.problemOfSingleFile { throw CenterError(.invalidRequest, problem) }
    } catch {
      if old == nil {
        _ = try? await drop(state)
      } else {
        state.follow(as: before)
        try? record.add(before)
      }
      throw error
    }
    return state.shown
  }

  /// Stops following a calendar, and cancels its pending requests; returns how many.
  func remove(_ path: String) async throws(CenterError) -> Int {
    await turn.take()
    defer { turn.release() }
    guard let state = states[path] else {
      throw CenterError(.notFound, "'\(DisplayText.line(path))' is not followed; see suzu follow --list")
    }
    return try await drop(state)
  }

  private func drop(_ state: CalendarState) async throws(CenterError) -> Int {
    let count = try await update.withdrawAll(state, others(than: state))
    do throws(StoreError) { try await record.remove(state.calendar.path) } catch { throw CenterError(error) }
    state.hasEnded = true
    state.deadline?.cancel()
    states[state.calendar.path] = nil
    follow()
    return count
  }

  private func others(than state: CalendarState) -> [CalendarState] { states.values.filter { $0 !== state } }

  /// What the user should know about the calendars, one line each.
  var problems: [String] {
    (watchFailure.map { [$0] } ?? [])
      + states.values.sorted { $0.calendar.path < $1.calendar.path }.flatMap(\.shown.problems)
  }

  // MARK: Changes

  /// Watches the folders of all calendars.
  private func follow() {
    let folders = states.values.sorted { $0.calendar.path < $1.calendar.path }.flatMap(\.folders)
    if let watch { return watch.follow(folders) }
    if folders.isEmpty { return }
    do throws(EventLoopError) {
      watch = try loop.watch(folders: folders) { [weak self] change in self?.hasChanged(change) }
      watchFailure = nil
    } catch {
      // The number of inotify watches of a user is limited, and some desktops use them up.
      watchFailure = "changes of calendars are not seen until the center restarts: \(error)"
      Log.warning("cannot watch calendars", "\(error)")
    }
  }

  private func hasChanged(_ change: FolderChange) {
    for state in states.values {
      let path = state.calendar.path
      switch change {
      case .overflow: lookSoon(at: state)
      case .replaced(let folder):
        if state.folders.contains(folder) { lookSoon(at: state) }
      case .entries(let folder, let names):
        if let own = CalendarFiles.names(of: path) {
          guard state.folders.contains(folder), !own.isDisjoint(with: names) else { continue }
          state.note([KnownAlarms.single])
        } else if folder == path {
          state.note(names)
        } else if folder.hasPrefix(path + "/") {
          let prefix = String(decoding: folder.utf8.dropFirst(path.utf8.count + 1), as: UTF8.self) + "/"
          state.note(names.map { prefix + $0 })
        } else {
          continue
        }
        lookSoon(at: state)
      }
    }
  }

  private func lookSoon(at state: CalendarState, isRetry: Bool = false) {
    // What has changed now does not wait for another attempt at what failed before.
    if state.isRetrying { state.deadline?.cancel() } else if state.deadline != nil { return }
    state.isRetrying = isRetry
    let pause = isRetry ? Self.retryPause : Self.pause
    state.deadline = loop.schedule(after: pause) { [weak self, weak state] in
      state?.deadline = nil
      state?.isRetrying = false
      guard let self, let state, !state.isQueued else { return }
      loop.start { await self.look(at: state) }
    }
  }

  private func look(at state: CalendarState) async {
    state.isQueued = true
    await turn.take()
    defer { turn.release() }
    state.isQueued = false
    if state.hasEnded { return }
    // There may be another folder in it.
    state.findFolders()
    follow()
    do throws(CenterError) {
      try await update.run(state, others(than: state))
    } catch {
      state.trouble = "\(state.calendar.path): changes are not carried out yet: \(error.message)"
      state.readAgain()
      lookSoon(at: state, isRetry: true)
    }
  }
}

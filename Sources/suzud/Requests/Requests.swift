// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling
internal import Triggers

/// Accepts requests. A request is on disk before it is acknowledged.
final class Requests {
  private let loop: EventLoop
  private let longCalls: LongCalls
  private let categories: Categories
  private let scheduler: Scheduler
  private let time: any TimeSource
  private let commit: RequestCommit
  private let permissions: Permissions
  private let trim: MemoryTrim
  private var newIDs = NewIDs()

  init(
    on loop: EventLoop, longCalls: LongCalls, categories: Categories, scheduler: Scheduler,
    time: any TimeSource, commit: RequestCommit, permissions: Permissions, trim: MemoryTrim
  ) {
    self.loop = loop
    self.longCalls = longCalls
    self.categories = categories
    self.scheduler = scheduler
    self.time = time
    self.commit = commit
    self.permissions = permissions
    self.trim = trim
  }

  // MARK: Accepting

  /// Stores requests, all or none, and returns their ids. A long call takes its place among its caller's calls before
  /// it is read, because reading it takes several turns of the loop.
  ///
  /// - Parameter caller: the caller on the bus; nil means the center itself.
  /// - Parameter read: checks the caller's quota before it reads the requests.
  /// - Parameter waiting: the caller, and its bus, if it waits for the answers and the requests end with it.
  func notify(
    _ rights: Rights, from caller: Caller?, waiting: (caller: Caller, bus: String)? = nil, isLong: Bool,
    reading read: () async throws -> [NotificationRequest]
  ) async throws -> [String] {
    try await longCalls.run(isLong, from: caller) {
      try await take(try await read(), rights, from: caller, waiting: waiting, isLong: isLong)
    }
  }

  private func take(
    _ requests: consuming [NotificationRequest], _ rights: Rights, from caller: Caller?,
    waiting: (caller: Caller, bus: String)?, isLong: Bool
  ) async throws(CenterError) -> [String] {
    var named = requests
    var planned: [NewRequest] = []
    planned.reserveCapacity(named.count)
    // Several long calls are planned by turns, and neighbours among their ids would be of different calls, which are
    // stored one after the other: each would change most pages of the index of ids.
    var ownIDs = NewIDs()
    var steps = scheduler.stepsOfPlanning
    for index in named.indices {
      // Other callers get a turn while very many requests are planned, or a few whose dates take long to find.
      if index % LongCalls.slice == LongCalls.slice - 1 || scheduler.stepsOfPlanning - steps > Scheduler.stepsPerTurn {
        await loop.nextTurn()
        steps = scheduler.stepsOfPlanning
      }
      if let condition = named[index].schedule.occasions?.condition {
        await prepare(condition, holding: isLong ? nil : caller)
      }
      do throws(CenterError) {
        planned.append(isLong ? try plan(&named[index], rights, &ownIDs) : try plan(&named[index], rights))
      } catch {
        throw error.at(named.count > 1 ? index : nil)
      }
    }
    trim.trim(after: named.count)
    try await commit.commit(planned, named, from: caller, asker: rights.asker, waiting: waiting)
    permissions.askIfUndecided(rights, named)
    return named.map { $0.id?.text ?? "" }
  }

  /// A source may have to ask a service first. Later calls of the caller wait, as for a long call.
  private func prepare(_ condition: Condition, holding caller: Caller?) async {
    await longCalls.begin(of: caller)
    defer { longCalls.end(of: caller) }
    await scheduler.prepare(condition)
  }

  /// Checks a request, gives it an id, and finds its start.
  func plan(_ request: inout NotificationRequest, _ rights: Rights) throws(CenterError) -> NewRequest {
    try plan(&request, rights, &newIDs)
  }

  private func plan(
    _ request: inout NotificationRequest, _ rights: Rights, _ ids: inout NewIDs
  ) throws(CenterError) -> NewRequest {
    if request.id == nil { request.id = ids.next(at: EventLoop.Clock.monotonic.now) }
    let app = request.app.text
    do throws(RequestRefusal) {
      try request.checkIntake { categories.category($0.text, of: app, for: rights) }
    } catch {
      throw CenterError(error)
    }
    try permissions.check(request, rights)
    do throws(TriggerError) {
      return try scheduler.plan(request, asker: rights.asker)
    } catch {
      throw CenterError(error)
    }
  }

  // MARK: Looking ahead

  /// The first dates of a request, in seconds since 1970. Nothing is stored.
  func next(_ request: NotificationRequest, _ count: Int) async throws(CenterError) -> [Int64] {
    do throws(TriggerError) {
      var preview = try scheduler.preview(of: request, count: count)
      while try !preview.goOn() {
        await withCheckedContinuation { resumed in time.callNext { resumed.resume() } }
      }
      return preview.dates
    } catch {
      throw CenterError(error)
    }
  }
}

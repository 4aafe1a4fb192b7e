// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling
internal import Suzu
internal import Triggers
internal import Zoneinfo

/// The inside of a ``SpyCenter``: the scheduler and the store of the real center, in memory, and what has come of them.
///
/// It is used under the lock of its ``VirtualClock``. What the program under test is to be told waits in ``later``
/// until the lock is released.
final class SpyAgenda {
  let time: VirtualTime
  let zones: VirtualZones
  let conditions = ScriptedConditions()
  let store: Store
  var scheduler: Scheduler
  var audience = SpyAudience()
  /// The categories that each app has registered.
  var categories: [AppID: [Category]] = [:]
  /// What the user allows each app; without an entry, an app may notify in every way.
  var allowed: [AppID: Set<NoticeKind>] = [:]
  /// The ways to notify that each app has registered for.
  var asked: [AppID: Set<NoticeKind>] = [:]
  /// Every request that was accepted, as the program made it, with its id.
  var accepted: [NotificationRequest] = []
  /// Every notification that has come, in order.
  private(set) var came: [SpyNotification] = []
  /// Those that are on the screen, oldest first.
  private(set) var shown: [SpyShown] = []
  /// Those that left the screen without an answer, and are shown again.
  private var resting: [Due] = []
  /// How requests, or single dates of them, have ended, in order.
  private(set) var ended: [SpyEnd] = []
  let responses = SpyResponses()
  /// Problems that the scheduler reports, one line each.
  private(set) var reports: [String] = []
  private var later: [@Sendable () -> Void] = []
  private var lastID = 0
  private var lastShown = 0

  init(time: VirtualTime, zones: VirtualZones) {
    self.time = time
    self.zones = zones
    do throws(StoreError) { store = try Store(inMemory: { time.wall }) } catch {
      // Only without memory.
      fatalError("the store in memory cannot be made: \(error)")
    }
    scheduler = Scheduler(store: store, time: time, zones: zones, conditions: [conditions])
    start()
  }

  var dates: DateText { DateText(zones: zones) }

  func takeLater() -> [@Sendable () -> Void] {
    defer { later = [] }
    return later
  }

  /// Calls once the lock is released.
  func call(_ body: @escaping @Sendable () -> Void) { later.append(body) }

  // MARK: The center's life

  private func start() {
    scheduler.onDue = { [unowned self] in deliver($0) }
    scheduler.onEnd = { [unowned self] in note($0) }
    scheduler.report = { [unowned self] in reports.append($0) }
    do throws(StoreError) { try scheduler.start() } catch { reports.append(error.message) }
    time.runDue()
  }

  func end() {
    scheduler.end()
    time.forgetCalls()
  }

  /// Starts again with what is stored, after the machine was off. The screen is empty.
  func start(at wall: Timestamp, boot: String) {
    time.wall = wall
    time.elapsed = 1_000_000
    time.boot = boot
    let left = shown
    shown = []
    for one in left { note(one.due, .vanished) }
    scheduler = Scheduler(store: store, time: time, zones: zones, conditions: [conditions])
    start()
    responses.wait(in: self)
  }

  // MARK: Requests

  /// Checks requests as the center does, and schedules them, all or none.
  func notify(_ requests: [NotificationRequest], isList: Bool) throws(SuzuError) -> [RequestID] {
    var named = requests
    var planned: [NewRequest] = []
    let lastID = lastID
    for index in named.indices {
      do throws(RequestRefusal) { planned.append(try plan(&named[index])) } catch {
        self.lastID = lastID
        let place = isList && named.count > 1 ? "[\(index)]: " : ""
        throw SuzuError(refused: error.code, place + error.message)
      }
    }
    var replaced: [NewRequest] = []
    let records: [DeliveryRecord?]
    do throws(StoreError) {
      records = try store.putInOrder(BatchPart(planned), now: time.wall) { replaced.append($0) }
    } catch {
      throw SuzuError(refused: error.code == .quota ? .limitExceeded : .unavailable, error.message)
    }
    accepted += named
    for one in replaced { note(one.app, one.id, .replaced) }
    let keys = Set(named.map(SpyKey.init))
    for key in keys { endResting(key, .replaced) }
    for earlier in scheduler.withdraw(where: { keys.contains(SpyKey(app: $0, id: $1)) }) { note(earlier, .replaced) }
    deliver(zip(named, records).compactMap { request, record in record.map { Due(request, as: $0, asker: nil) } })
    rearm()
    return named.compactMap(\.id)
  }

  private func plan(_ request: inout NotificationRequest) throws(RequestRefusal) -> NewRequest {
    do throws(RequestError) { try request.checkAsNew() } catch {
      throw RequestRefusal(.invalidRequest, error.description)
    }
    if request.id == nil {
      // The center's ids are random; a test can expect these.
      lastID += 1
      request.id = RequestID(trusted: "request-\(lastID)")
    }
    let app = request.app
    try request.checkIntake { category($0, of: app) }
    do throws(TriggerError) { return try scheduler.plan(request) } catch { throw RequestRefusal(error) }
  }

  func category(of request: NotificationRequest) -> Category? {
    request.content.category.flatMap { category($0, of: request.app) }
  }

  private func category(_ name: CategoryID, of app: AppID) -> Category? {
    categories[app]?.first { $0.id.isIdentical(to: name.text) }
  }

  /// Replaces the categories of an app, all or none.
  func set(_ categories: [NotificationModel.Category], of app: AppID) throws(SuzuError) {
    var checked: [NotificationModel.Category] = []
    do throws(RequestError) {
      try AppID.checkAsNew(app.text)
      for category in categories {
        let one = try NotificationModel.Category(category.plain)
        for action in one.actions { try action.checkLengths() }
        checked.append(one)
      }
    } catch {
      throw SuzuError(refused: .invalidRequest, "[\(checked.count)]: \(error)")
    }
    do throws(RequestError) { try checked.checkDistinct() } catch {
      throw SuzuError(refused: .invalidRequest, error.description)
    }
    self.categories[app] = checked
  }

  func rearm() {
    scheduler.rearm()
    time.runDue()
  }

  /// Cancels requests that have not come yet, and the next showings of those that are shown again; without ids, all of
  /// the app.
  func cancel(_ app: AppID, _ ids: [RequestID]) -> Int {
    let nagging = ((try? store.nagging()) ?? []).filter { $0.app == app.text }.map(\.id)
    let wanted = ids.isEmpty ? pending(app).map(\.id) + nagging : ids.flatMap { [$0.text, SnoozedID.of($0.text)] }
    var cancelled = Set((try? store.cancel(app: app.text, ids: wanted[...]).cancelled) ?? [])
    for id in cancelled.sorted() { note(app.text, id, .cancelled) }
    for id in Set(wanted) where nagging.contains(id) {
      endResting(SpyKey(app: app.text, id: id), .cancelled)
      cancelled.insert(id)
    }
    rearm()
    return cancelled.count
  }

  /// Takes notifications off the screen, and ends those that would be shown again; without ids, all of the app.
  func dismiss(_ app: AppID, _ ids: [RequestID], _ end: RequestEnd = .withdrawn) -> Int {
    let mine = (shown.map(\.due) + resting).filter { $0.request.app == app }.map { SpyKey($0.request) }
    let wanted = Set(ids.map { SpyKey(app: app.text, id: $0.text) })
    return Set(mine).filter { ids.isEmpty || wanted.contains($0) }.reduce(0) { count, key in
      count + take(key, end) + endResting(key, end)
    }
  }

  /// The pending requests, the next one first.
  func pending(_ app: AppID?) -> [StoredRequest] { (try? store.pending(app: app?.text)) ?? [] }

  /// The first dates of a request that is not stored.
  func next(_ request: NotificationRequest, _ count: Int) throws(SuzuError) -> [Int64] {
    do throws(TriggerError) {
      return try Self.all(scheduler.preview(of: request, count: count))
    } catch {
      let refusal = RequestRefusal(error)
      throw SuzuError(refused: refusal.code, refusal.message)
    }
  }

  /// The coming dates of a pending request.
  func next(_ revision: StoredRequest.Revision, _ count: Int) -> [Int64] {
    guard let stored = try? store.request(revision: revision), stored.wait != nil else { return [] }
    return (try? Self.all(scheduler.preview(of: stored, count: count))) ?? []
  }

  private static func all(_ preview: Preview) throws(TriggerError) -> [Int64] {
    var preview = preview
    while try !preview.goOn() {}
    return preview.dates
  }

  // MARK: What comes

  private func deliver(_ due: [Due]) {
    // One commit for all.
    write { store throws(StoreError) in try store.withNeededTransaction { () throws(StoreError) in show(due) } }
  }

  private func show(_ due: [Due]) {
    for one in due {
      let app = one.request.app
      guard allowed[app].map({ $0.contains(.alert) }) ?? true else {
        note(one, .notAllowed)
        continue
      }
      let isShownAgain = shown.contains { $0.due.record == one.record } || resting.contains { $0.record == one.record }
      if isShownAgain {
        // The same notification, which has not ended.
        shown.removeAll { $0.due.record == one.record }
        resting.removeAll { $0.record == one.record }
      } else if !one.isOneOfMany {
        take(SpyKey(one.request), .replaced)
        endResting(SpyKey(one.request), .replaced)
      }
      lastShown += 1
      let choices = Choices(one.request, category: category(of: one.request))
      let rules = (try? zones.rules(nil)) ?? .utc
      let notification = SpyNotification(
        one, at: time.wall, localTime: time.wall.localTime(rules), buttons: choices.actions)
      shown.append(
        SpyShown(number: lastShown, due: one, choices: choices, notification: notification))
      if let delivery = one.record?.delivery {
        write { store throws(StoreError) in
          try store.recordShown(
            delivery, server: "spy", serverNumber: Int64(lastShown), keys: nil, nag: one.nag, now: time.wall)
        }
      }
      came.append(notification)
    }
  }

  /// Takes notifications off the screen; returns how many.
  @discardableResult
  func take(_ key: SpyKey, _ end: RequestEnd) -> Int {
    let leaving = shown.filter { SpyKey($0.due.request) == key }
    if leaving.isEmpty { return 0 }
    shown.removeAll { SpyKey($0.due.request) == key }
    for one in leaving { note(one.due, end) }
    return leaving.count
  }

  /// Takes one notification off the screen.
  func take(_ one: SpyShown, _ end: RequestEnd) {
    shown.removeAll { $0.number == one.number }
    note(one.due, end)
  }

  /// Ends a notification that would be shown again; returns how many there were.
  @discardableResult
  private func endResting(_ key: SpyKey, _ end: RequestEnd) -> Int {
    let ending = resting.filter { SpyKey($0.request) == key }
    if ending.isEmpty { return 0 }
    resting.removeAll { SpyKey($0.request) == key }
    for due in ending { finish(due, end) }
    return ending.count
  }

  /// A notification that has come, or was about to, has left the screen: it has ended, unless it is shown again.
  private func note(_ due: Due, _ end: RequestEnd) {
    guard end.leavesUnanswered, let nag = due.nag, let delivery = due.record?.delivery,
      (try? store.delivery(delivery))?.again != nil
    else { return finish(due, end) }
    resting.append(due)
    write { store throws(StoreError) in
      try store.recordResting(delivery, reason: end.rawValue, nag: nag, now: time.wall)
    }
  }

  private func finish(_ due: Due, _ end: RequestEnd) {
    if let delivery = due.record?.delivery {
      write { store throws(StoreError) in
        try store.recordClosed(delivery, as: end.state, reason: end.rawValue, now: time.wall)
      }
    }
    note(due.request.app.text, due.request.id?.text ?? "", end)
  }

  /// The scheduler has ended dates by itself.
  private func note(_ records: [DeliveryRecord]) {
    for record in records { if let end = RequestEnd(record.state) { note(record.app, record.id, end) } }
  }

  private func write(_ body: (Store) throws(StoreError) -> Void) {
    do throws(StoreError) { try body(store) } catch { reports.append(error.message) }
  }

  func note(_ app: String, _ id: String, _ end: RequestEnd) {
    ended.append(SpyEnd(app: AppID(trusted: app), id: RequestID(trusted: id), reason: end, time: time.wall))
  }
}

/// What makes a request unique.
struct SpyKey: Hashable {
  let app: Identifier
  let id: Identifier

  init(app: String, id: String) {
    self.app = Identifier(app)
    self.id = Identifier(id)
  }

  init(_ request: NotificationRequest) { self.init(app: request.app.text, id: request.id?.text ?? "") }
}

/// A notification on the screen.
struct SpyShown {
  let number: Int
  let due: Due
  let choices: Choices
  let notification: SpyNotification
}

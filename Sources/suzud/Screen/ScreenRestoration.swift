// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// Restores the notifications that an earlier run of the center left on the screen.
///
/// Thousands of them take several turns of the loop. Until all are known, nothing is posted, events of the server wait in
/// ``ServerEvents``, and calls wait in ``untilDone()``: to them, the screen is restored at once. A call that looks for
/// what is on the screen also waits for the beginning, in ``untilKnown()``: it may have started the center.
final class ScreenRestoration {
  private enum Phase {
    /// The server has not said yet who it is.
    case waiting
    /// It takes long, so calls wait no longer.
    case overdue
    case underWay
    case done
    /// The center ends. The next one restores the rest.
    case stopped
  }

  /// How many notifications one turn restores: some 2 ms.
  static let slice = 250

  private let loop: EventLoop
  private let store: Store
  private let journal: Journal
  private let past: PastDeliveries
  private let screen: Screen
  private let ends: Ends
  private let expiry: OwnExpiry
  private let limit: Duration
  private var phase = Phase.waiting
  /// The calls that wait for it.
  private var calls: [() -> Void] = []
  private var deadline: EventLoop.Deadline?

  init(
    on loop: EventLoop, store: Store, journal: Journal, past: PastDeliveries, screen: Screen, ends: Ends,
    expiry: OwnExpiry, limit: Duration
  ) {
    self.loop = loop
    self.limit = limit
    self.store = store
    self.journal = journal
    self.past = past
    self.screen = screen
    self.ends = ends
    self.expiry = expiry
  }

  var isUnderWay: Bool { phase == .underWay }

  /// Whether there is nothing more to restore.
  var isDone: Bool { phase == .done || phase == .stopped }

  /// Called with the first server, or nil if there is none: checks whether it is the one that showed the notifications,
  /// and still does.
  func restore(on state: ServerState?) async {
    phase = .underWay
    defer { finish(.done) }
    do throws(StoreError) {
      let answered = try store.answeredWithoutEnd()
      for record in answered { try end(record, on: state) }
      // One that was about to be shown again may still be on the screen from its last showing.
      let again = try store.openIntents().filter { $0.serverNumber != nil && $0.server == state?.storedName }
      let shown = try await delivered().filter { !$0.isResting }
      let ended = Set(answered.map(\.number))
      let open = (shown + again).filter { !ended.contains($0.number) }
      for (index, record) in open.sorted(by: { $0.number < $1.number }).enumerated() {
        if index % Self.slice == Self.slice - 1 { await loop.nextTurn() }
        if isDone { return }
        try restore(record, on: state)
      }
      expiry.recheck()
    } catch {
      Log.error("could not restore the screen", error.message)
    }
  }

  /// All that were shown, also read in slices.
  private func delivered() async throws(StoreError) -> [DeliveryRecord] {
    var walk = ListingWalk(app: nil)
    var records: [DeliveryRecord] = []
    while !walk.isAtEnd {
      if !records.isEmpty { await loop.nextTurn() }
      if isDone { return [] }
      records += try store.delivered(&walk, PageLimit(rows: Self.slice, bytes: .max))
    }
    return records
  }

  private func restore(_ record: DeliveryRecord, on state: ServerState?) throws(StoreError) {
    guard let due = try past.due(record, isAgain: false), let number = record.serverNumber else { return }
    let key = RequestKey(due)
    // It is not to be shown after all.
    if record.state == .intent, screen[key] == nil { return }
    ends.begin(due)
    guard let state, record.server == state.storedName else { return lost(due, key) }
    // A newer request with the id is due: it replaces this one.
    let newer = screen[key]
    let shown = PostedNumber(server: state.owner, number: UInt32(truncatingIfNeeded: number))
    screen.restore(due, as: key, shown, offer: OfferedActions(json: record.keys))
    if screen.state.isOutdated(due, as: key) { return screen.take(shown, because: .replaced) }
    expiry.restore(due, shown, since: record.posted, on: state)
    if let newer {
      screen.add(newer.due, as: key)
    } else if due.request.content.style == .alert {
      // GNOME removes notifications of a connection that is gone. On other servers the new post replaces the old one
      // silently.
      screen.showAgain(key, replacing: shown)
    }
  }

  /// Stops, because the store is about to be closed.
  func end() { finish(.stopped) }

  private func finish(_ end: Phase) {
    if !isDone { phase = end }
    deadline?.cancel()
    goOn()
  }

  // MARK: Calls

  /// Waits while the screen is being restored: a call must not find half of it.
  func untilDone() async {
    if isUnderWay { await wait() }
  }

  /// The same, and waits for the beginning, until the server takes too long to say who it is.
  func untilKnown() async {
    if isUnderWay || phase == .waiting { await wait() }
  }

  private func wait() async {
    await loop.withContinuation { continuation in
      // The call may suspend before it comes here.
      guard isUnderWay || phase == .waiting else { return continuation.resume() }
      calls.append { continuation.resume() }
      if deadline == nil { deadline = loop.schedule(after: limit) { [weak self] in self?.giveUp() } }
    }
  }

  private func giveUp() {
    guard phase == .waiting else { return }
    phase = .overdue
    goOn()
  }

  private func goOn() {
    let calls = calls
    self.calls = []
    for resume in calls { resume() }
  }

  /// The user has answered it, and the center ended before it recorded that it has left the screen.
  private func end(_ record: DeliveryRecord, on state: ServerState?) throws(StoreError) {
    guard let due = try past.due(record, isAgain: false) else { return }
    ends.begin(due)
    if let state, let number = record.serverNumber, record.server == state.storedName {
      screen.close(PostedNumber(server: state.owner, number: UInt32(truncatingIfNeeded: number)))
    }
    ends.end(due, .withdrawn)
  }

  /// The server ended while no center was running.
  private func lost(_ due: Due, _ key: RequestKey) {
    guard let delivery = due.record?.delivery else { return }
    if due.request.content.style == .alert && screen[key] == nil && !screen.state.isOutdated(due, as: key) {
      journal.note { store throws(StoreError) in try store.recordLost(delivery) }
      screen.add(due, as: key)
      screen.showAgain(key)
    } else {
      ends.end(due, .vanished)
    }
  }
}

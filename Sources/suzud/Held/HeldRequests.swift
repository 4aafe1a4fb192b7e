// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Due requests that are kept for later: by quiet hours, or by a setting of their app: `passive` ones until a time of
/// day, and banners until the user is back. What was kept comes as one notification.
///
/// They stay in the store as what is due, so another run of the center keeps them as well.
final class HeldRequests {
  private let loop: EventLoop
  private let agenda: Agenda
  private let texts: DigestTexts
  let absence: Absence
  private let asked: AskedRequests
  private let screen: Screen
  private let ends: Ends
  /// Where those go that no longer wait.
  private let next: (poster: Poster, inFront: AppsInFront, outbox: Outbox)
  private let quiet: QuietGate
  private var held = Held()
  private var alarm: EventLoop.Deadline?
  /// Whether the user was away since banners came last.
  private var wasAway = false

  init(
    on loop: EventLoop, agenda: Agenda, texts: DigestTexts, absence: Absence, asked: AskedRequests,
    screen: Screen, poster: Poster, ends: Ends, inFront: AppsInFront, outbox: Outbox, quiet: QuietGate
  ) {
    self.loop = loop
    self.agenda = agenda
    self.texts = texts
    self.absence = absence
    self.asked = asked
    self.screen = screen
    self.ends = ends
    next = (poster, inFront, outbox)
    self.quiet = quiet
    // The gate waits for the desktop by itself.
    quiet.whenChanged = { [weak self] in self?.recheck() }
  }

  private var apps: Apps { texts.apps }

  // MARK: Due requests

  /// Keeps a due request, if its app has such a setting; returns whether it does.
  func keeps(_ due: Due) -> Bool {
    let key = RequestKey(due)
    guard let record = due.record, let release = release(of: due, as: key) else { return false }
    agenda.journal.note { store throws(StoreError) in try store.recordHeld(record.delivery, by: release.holder) }
    guard held.add(due, as: key, until: release) else {
      // The digest counts it.
      ends.note(due, .folded)
      return true
    }
    wait(for: release)
    return true
  }

  /// Absence tells when the user is back; every other end is a date, or is told by the gate.
  private func wait(for release: HeldRelease) {
    if release != .unlocked { setAlarm() }
  }

  /// What a due request waits for; nil if it comes now: as do the center's own notifications, and questions that the
  /// user's own programs wait for.
  private func release(of due: Due, as key: RequestKey) -> HeldRelease? {
    let isAsked = asked.isAsked(key)
    // A progress changes in place. Everything else that replaces a notification draws attention like a new one.
    let isProgress = screen[key] != nil && due.request.content.progress != nil
    if !isProgress, !(isAsked && due.asker == nil), let end = quiet.end(for: due) { return .quiet(end) }
    guard screen[key] == nil, !isAsked else { return nil }
    return release(of: due)
  }

  /// What a setting of its app lets a due request wait for; nil if it comes now.
  private func release(of due: Due) -> HeldRelease? {
    let (content, settings) = (due.request.content, apps[due.request.app.text])
    if content.level == .passive, let times = settings.delivery, let rules = try? agenda.zones.rules(nil),
      let date = times.next(from: due.date, in: rules), date > agenda.time.wall
    {
      return .at(date)
    }
    let isQuiet = content.level == .passive || content.level == .active
    let waits = settings.away == .hold && content.style == .banner && isQuiet
    return waits && absence.state != .present ? .unlocked : nil
  }

  /// Ends an earlier request with this key, because a newer one replaces it. Another showing of the same notification
  /// does not end it.
  func supersede(_ key: RequestKey, by due: Due? = nil) {
    guard let earlier = held.remove(key) else { return }
    if let due, earlier.isSame(as: due) { return }
    ends.note(earlier, .replaced)
  }

  /// Cancels the app's kept requests with these ids; no ids means all.
  func cancel(_ app: String, _ ids: Set<Identifier>) -> [RequestKey] {
    let keys = keys(of: app).filter { ids.isEmpty || ids.contains(Identifier($0.id)) }
    for key in keys { if let due = held.remove(key) { ends.note(due, .cancelled) } }
    return keys
  }

  /// The kept requests, in their order; nil means those of every app.
  func keys(of app: String?) -> [RequestKey] {
    // They were answered where they were shown before.
    for (key, due) in held.all where due.earlierShowings > 0 && !ends.isUnderWay(due) { _ = held.remove(key) }
    return held.keys { key in app.map { key.app.isIdentical(to: $0) } ?? true }
  }

  /// The kept request with this key.
  subscript(key: RequestKey) -> Due? { held[key] }

  /// What a delivery waits for; nil if it is not kept.
  func release(of delivery: DeliveryRecord.Number) -> HeldRelease? { held.release(of: delivery) }

  /// Whether quiet hours keep a delivery.
  func isQuiet(_ due: Due) -> Bool {
    if case .quiet? = due.record.flatMap({ held.release(of: $0.delivery) }) { true } else { false }
  }

  /// What makes it quiet for an app at this moment, as far as the desktop is known; a nil app means for all.
  func causes(of app: String?) -> QuietCauses {
    var causes = agenda.quiet.causes(of: app)
    causes.isDesktopQuiet = agenda.quiet[nil].followsDesktop && quiet.isDesktopQuiet == true
    return causes
  }

  /// How many quiet hours keep of an app; nil means of every app.
  func countOfQuiet(_ app: String?) -> Int {
    keys(of: app).count { if case .quiet? = held.release(of: $0) { true } else { false } }
  }

  // MARK: Release

  /// The settings of apps are known.
  func begin() { absence.follow(apps.isAnyAway) }

  /// The center ends; the next one goes on with what is held.
  func end() { absence.end() }

  /// The clock, the zone or a setting has changed: some may come now, and others at another time.
  func recheck() {
    agenda.quiet.forgetEnds()
    recheckQuiet()
    for (key, due) in held.all {
      guard case .at(let before)? = held.release(of: key), case .at(let date)? = release(of: due), date != before
      else { continue }
      held.set(.at(date), of: key)
    }
    releaseDue()
    absence.follow(apps.isAnyAway)
  }

  /// Quiet hours have begun or ended, or the user has changed them: shows what they no longer keep, and keeps what else
  /// would come during them.
  private func recheckQuiet() {
    var isAnyOver = false
    for (key, due) in held.all {
      guard let before = held.release(of: key) else { continue }
      let current = quiet.current(due)
      if current.step != due.step { held.set(current, of: key) }
      switch (before, release(of: current, as: key)) {
      case (.quiet, nil): isAnyOver = true
      case (.quiet, let next?):
        held.set(next, of: key)
        if next.holder != before.holder { wait(for: next) }
      case (.at(let date), .quiet(let end)?) where date <= agenda.time.wall: held.set(.quiet(end), of: key)
      case (.at, _), (.unlocked, _): break
      }
    }
    if isAnyOver { showAfterQuiet { due, release in self.isOver(due, release) } }
  }

  private func isOver(_ due: Due, _ release: HeldRelease) -> Bool {
    guard case .quiet = release else { return false }
    return self.release(of: due, as: RequestKey(due)) == nil
  }

  /// Shows what quiet hours have kept: as one notification, but for those that the user has to answer.
  private func showAfterQuiet(where fits: (Due, HeldRelease) -> Bool) {
    let released = held.take(where: fits)
    let (more, due) = (released.reduce(0) { $0 + $1.more }, released.flatMap(\.requests))
    if agenda.quiet[nil].comesOneByOne, more == 0 { return showEach(due) }
    // After a digest of them, their buttons could not be pressed.
    let isSingle: (Due) -> Bool = { due in
      due.request.content.style == .alert || due.nag != nil || due.request.content.progress != nil
    }
    let single = due.filter(isSingle)
    show(due.filter { !isSingle($0) }, .quiet(more: more))
    if !single.isEmpty { showEach(single) }
  }

  private func setAlarm() {
    alarm?.cancel()
    alarm = held.nextDate.map { date in
      loop.schedule(at: .milliseconds(date.milliseconds), on: .wall) { [weak self] in self?.recheck() }
    }
  }

  /// Shows what no longer has to wait, and everything of the same app that comes with it.
  private func releaseDue() {
    let released = held.take { due, release in
      switch release {
      case .at(let date):
        if date <= agenda.time.wall { return true }
        // Its app is no longer delivered at times of day.
        if case .at? = self.release(of: due) { return false }
        return quiet.end(for: due) == nil
      case .unlocked: return apps[due.request.app.text].away != .hold
      case .quiet: return false
      }
    }
    for one in released { show(one.requests, .batch(of: one.app, more: one.more)) }
    setAlarm()
  }

  /// The user has come or gone.
  func userMoved() {
    if absence.state == .away { wasAway = true }
    guard absence.state == .present else { return }
    for (key, due) in held.all where held.release(of: key) == .unlocked {
      if let end = quiet.end(for: due) { held.set(.quiet(end), of: key) }
    }
    setAlarm()
    let back = held.take { _, release in release == .unlocked }
    // Those that only waited for an answer come as themselves.
    if wasAway {
      show(back.flatMap(\.requests), .away(more: back.reduce(0) { $0 + $1.more }))
    } else {
      showEach(back.flatMap(\.requests))
    }
    wasAway = false
  }

  /// Shows one by itself, and several as one notification. Each of those is recorded as a part of it, in the commit
  /// that stores it.
  private func show(_ due: [Due], _ kind: HeldDigest.Kind) {
    guard due.count + kind.more > 1 else { return showEach(due) }
    let digest = HeldDigest(due, kind, texts).request
    let new = NewRequest(
      app: digest.app.text, id: digest.id?.text ?? "", payload: Payload.text(of: digest), start: .now)
    for one in due { ends.note(one, .folded) }
    ends.carryOut()
    let now = agenda.time.wall
    agenda.journal.write { store throws(StoreError) in
      try store.putDue([new], now: now).first
    } then: { [self] result in
      let record = (try? result.get()) ?? nil
      showEach([record.map { Due(digest, as: $0, asker: nil) } ?? Due(digest, date: now)])
    }
  }

  private func showEach(_ due: [Due]) {
    for one in due {
      // It was answered where it was shown before.
      if one.earlierShowings > 0, !ends.isUnderWay(one) || quiet.comesAnyway(one) { continue }
      ends.begin(one)
      next.outbox.queue(one)
      if !next.inFront.isAsked(about: one) { screen.put(one) }
    }
    ends.carryOut()
    next.poster.post()
  }
}

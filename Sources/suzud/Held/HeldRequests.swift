// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Due requests that are kept for later by a setting of their app: `passive` ones until a time of day, and banners until
/// the user is back. What was kept comes as one notification.
///
/// They stay in the store as what is due, so another run of the center keeps them as well.
final class HeldRequests {
  private let loop: EventLoop
  private let agenda: Agenda
  private let apps: Apps
  let absence: Absence
  private let asked: AskedRequests
  private let screen: Screen
  private let poster: Poster
  private let ends: Ends
  private let inFront: AppsInFront
  private var held = Held()
  private var alarm: EventLoop.Deadline?
  /// Whether the user was away since banners came last.
  private var wasAway = false

  init(
    on loop: EventLoop, agenda: Agenda, apps: Apps, absence: Absence, asked: AskedRequests, screen: Screen,
    poster: Poster, ends: Ends, inFront: AppsInFront
  ) {
    self.loop = loop
    self.agenda = agenda
    self.apps = apps
    self.absence = absence
    self.asked = asked
    self.screen = screen
    self.poster = poster
    self.ends = ends
    self.inFront = inFront
  }

  // MARK: Due requests

  /// Keeps a due request, if its app has such a setting; returns whether it does.
  func keeps(_ due: Due) -> Bool {
    let key = RequestKey(due)
    // The center's own notifications and questions come at once, and so does what replaces a notification.
    guard due.record != nil, let release = release(of: due), screen[key] == nil, !asked.isAsked(key) else {
      return false
    }
    guard held.add(due, as: key, until: release) else {
      // The digest counts it.
      ends.note(due, .folded)
      return true
    }
    if case .at = release { setAlarm() }
    return true
  }

  /// What a due request waits for; nil if it comes now.
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

  /// Ends an earlier request with this key: a newer one replaces it.
  func supersede(_ key: RequestKey) {
    if let earlier = held.remove(key) { ends.note(earlier, .replaced) }
  }

  /// Cancels the app's kept requests with these ids; no ids means all.
  func cancel(_ app: String, _ ids: Set<Identifier>) -> [RequestKey] {
    let keys = keys(of: app).filter { ids.isEmpty || ids.contains(Identifier($0.id)) }
    for key in keys { if let due = held.remove(key) { ends.note(due, .cancelled) } }
    return keys
  }

  /// The kept requests, in their order; nil means those of every app.
  func keys(of app: String?) -> [RequestKey] {
    held.keys { key in app.map { key.app.isIdentical(to: $0) } ?? true }
  }

  /// What a delivery waits for; nil if it is not kept.
  func release(of delivery: DeliveryRecord.Number) -> HeldRelease? { held.release(of: delivery) }

  // MARK: Release

  /// The settings of apps are known.
  func begin() { absence.follow(apps.isAnyAway) }

  /// The center ends; the next one goes on with what is held.
  func end() { absence.end() }

  /// The clock, the zone or a setting has changed: some may come now, and others at another time.
  func recheck() {
    for (key, due) in held.all {
      guard case .at(let before)? = held.release(of: key), case .at(let date)? = release(of: due), date != before
      else { continue }
      held.set(.at(date), of: key)
    }
    releaseDue()
    absence.follow(apps.isAnyAway)
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
        return true
      case .unlocked: return apps[due.request.app.text].away != .hold
      }
    }
    for one in released { show(one.requests, .batch(of: one.app, more: one.more)) }
    setAlarm()
  }

  /// The user has come or gone.
  func userMoved() {
    if absence.state == .away { wasAway = true }
    guard absence.state == .present else { return }
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
    let digest = HeldDigest(due, kind).request
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
      ends.begin(one)
      if !inFront.isAsked(about: one) { screen.put(one) }
    }
    ends.carryOut()
    poster.post()
  }
}

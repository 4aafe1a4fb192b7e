// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// A stored request that waits for a condition. It decides which observations count: those that are the change that the
/// condition names, that have lasted, that are within the window, and not too soon after the last one.
///
/// Pure: the time is an argument.
struct ArmedRequest {
  /// The present, by the wall clock and as elapsed time.
  struct Moment {
    let wall: Timestamp
    let elapsed: Int64
  }

  /// The condition is met.
  struct Met: Hashable {
    let revision: StoredRequest.Revision
    /// When.
    let date: Timestamp
    /// How often it was met before, within the pause between two.
    var missed: Int64 = 0
    /// The details, for `{event.KEY}`.
    var event: EventDetails = [:]
    /// Whether it became true while the center did not run.
    var isLate = false
    /// Whether it cannot be met any more, because the last moment has passed.
    var isOver = false
  }

  /// When it counts. Indirect, because most of thousands of requests have no limits.
  private indirect enum Limits {
    case none
    /// The window of a schedule, as it is in the present zone.
    case window(Schedule, ConditionWindow?)
  }

  let revision: StoredRequest.Revision
  private(set) var condition: Condition
  /// The condition as text, from the first time that it is met.
  private var text: String?
  private let repeats: Bool
  private let takesPresent: Bool
  private let cooldown: Int64
  /// Whether the machine wakes when the state has lasted for long enough.
  let wakes: Bool
  private let made: Timestamp
  private var limits = Limits.none

  /// What is stored.
  private(set) var state: ArmedState
  /// The state is the one of an earlier run.
  private var isRestored: Bool
  /// The source knew nothing for a while.
  private var isUncertain = false
  /// No request of this revision will be shown any more.
  private var isSpent = false
  private var heldEvent: EventDetails = [:]
  private var isHeldLate = false
  /// When the state has lasted long enough, as elapsed time.
  private(set) var holdEnd: Int64?
  /// Until when another one would be too soon, as elapsed time.
  private var coolEnd: Int64?

  init?(_ stored: StoredRequest, _ request: NotificationRequest, zones: any ZoneSource, _ now: Moment) {
    guard let occasions = request.schedule.occasions else { return nil }
    revision = stored.revision
    condition = occasions.condition
    repeats = occasions.repeats
    takesPresent = occasions.now
    cooldown = (occasions.cooldown ?? Schedule.Occasions.usualCooldown).milliseconds
    let bounds = occasions.bounds
    if bounds.from != nil || bounds.until != nil || occasions.during != nil { limits = .window(request.schedule, nil) }
    made = stored.created
    wakes = stored.wakes
    state = stored.armed ?? ArmedState()
    isRestored = state.holds != nil
    if let met = state.met {
      let left = cooldown - (now.wall - met)
      if 0 < left { coolEnd = now.elapsed + min(left, cooldown) }
    }
    findWindow(zones)
  }

  /// Finds the window again: the zone may have changed.
  mutating func findWindow(_ zones: any ZoneSource) {
    guard case .window(let schedule, _) = limits else { return }
    // Without the rules of its zone, it counts at every time.
    limits = .window(schedule, try? schedule.window(made: Instant(made), isNew: false, rules: zones.rules))
  }

  private var window: ConditionWindow? { if case .window(_, let window) = limits { window } else { nil } }

  /// Whether it has a window, which depends on the zone.
  var isLimited: Bool { if case .window = limits { true } else { false } }

  /// Uses the same subject as other requests, so that its texts are in memory once.
  mutating func share(_ subject: Condition.Subject) {
    condition = Condition(trusted: subject, edge: condition.edge, hold: condition.hold)
  }

  private var hold: Int64? { condition.hold?.milliseconds }

  /// The last moment.
  var until: Timestamp? { window?.until.map { Timestamp($0) } }

  private func matches(_ holds: Bool) -> Bool {
    switch condition.edge {
    case .enter: holds
    case .leave: !holds
    case .change: true
    }
  }

  // MARK: Observations

  /// The source does not know the state at present.
  mutating func lose() {
    isUncertain = true
    holdEnd = nil
  }

  /// Something happened.
  mutating func happened(_ event: EventDetails, _ now: Moment) -> Met? { attempt(event, isLate: false, now) }

  /// The state is this.
  mutating func observe(_ holds: Bool, _ event: EventDetails, _ now: Moment) -> Met? {
    if isSpent { return nil }
    let (wasRestored, wasUncertain) = (isRestored, isUncertain)
    (isRestored, isUncertain) = (false, false)
    guard let before = state.holds else {
      // A condition that is true already counts only if the request says so.
      state.holds = holds
      return takesPresent && matches(holds) ? change(to: holds, event, isLate: false, now) : nil
    }
    guard holds != before else {
      guard let since = state.since else { return nil }
      if wasRestored, let hold {
        // It has gone on while the center did not run.
        heldEvent = event
        holdEnd = now.elapsed + min(max(0, hold - max(0, now.wall - since)), hold)
      } else if wasUncertain {
        return change(to: holds, event, isLate: false, now)
      }
      return nil
    }
    state.holds = holds
    (state.since, holdEnd) = (nil, nil)
    return matches(holds) ? change(to: holds, event, isLate: wasRestored, now) : nil
  }

  private mutating func change(
    to holds: Bool, _ event: EventDetails, isLate: Bool, _ now: Moment
  ) -> Met? {
    guard let hold, hold > 0 else { return attempt(event, isLate: isLate, now) }
    state.since = now.wall
    (heldEvent, isHeldLate, holdEnd) = (event, isLate, now.elapsed + hold)
    return nil
  }

  /// Time has passed.
  mutating func pass(_ now: Moment) -> Met? {
    if isSpent { return nil }
    if let holdEnd, holdEnd <= now.elapsed {
      (self.holdEnd, state.since) = (nil, nil)
      if let met = attempt(heldEvent, isLate: isHeldLate, now) { return met }
    }
    guard let until, until < now.wall else { return nil }
    isSpent = true
    return Met(revision: revision, date: now.wall, isOver: true)
  }

  private mutating func attempt(_ event: EventDetails, isLate: Bool, _ now: Moment) -> Met? {
    if isSpent || window?.contains(Instant(now.wall)) == false { return nil }
    if let coolEnd, now.elapsed < coolEnd {
      state.folded += 1
      return nil
    }
    let met = Met(
      revision: revision, date: now.wall, missed: state.folded, event: named(event, isLate: isLate).bounded,
      isLate: isLate)
    state.folded = 0
    state.met = now.wall
    coolEnd = now.elapsed + cooldown
    isSpent = !repeats
    return met
  }

  private mutating func named(_ event: EventDetails, isLate: Bool) -> EventDetails {
    let text = text ?? condition.text
    self.text = text
    var event = event
    event.add("condition", text)
    if isLate { event.add("late", "true") }
    event.add("edge", state.holds == false ? Condition.Edge.leave.rawValue : Condition.Edge.enter.rawValue)
    return event
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The requests that wait for conditions, and the subjects that are watched for them.
final class ArmedConditions {
  /// A watched subject.
  private final class Watched {
    let source: any ConditionSource
    var reading: StateReading
    /// Why nothing is known; nil if something is.
    var obstacle: String? = ListedRequest.unreadCondition
    var event: EventDetails = [:]
    /// The requests that wait for it.
    var revisions: Set<StoredRequest.Revision> = []

    init(source: any ConditionSource, reading: StateReading) {
      self.source = source
      self.reading = reading
    }
  }

  /// An armed request on its own: a dictionary has room for more values than it holds, and copies them as it grows.
  private final class Armed {
    var request: ArmedRequest

    init(_ request: ArmedRequest) { self.request = request }
  }

  private let sources: [any ConditionSource]
  private let time: any TimeSource
  private let zones: any ZoneSource
  private var watched: [Condition.Subject: Watched] = [:]
  private var requests: [StoredRequest.Revision: Armed] = [:]
  /// Requests to be fired, in the order in which their conditions were met.
  private(set) var met: [ArmedRequest.Met] = []
  /// Requests whose stored state is older than the one in memory.
  private var changed: Set<StoredRequest.Revision> = []
  /// Requests that wait for time to pass, with the elapsed time of their next look.
  private var deadlines: [StoredRequest.Revision: Int64] = [:]
  /// Requests that wake the machine when their state has lasted for long enough.
  private var waking: Set<StoredRequest.Revision> = []
  /// The newest request that was looked at.
  private(set) var last = StoredRequest.Revision.none
  /// Called when requests are met or their states have changed.
  private var whenChanged: () -> Void = {}

  init(_ sources: [any ConditionSource], time: any TimeSource, zones: any ZoneSource) {
    self.sources = sources
    self.time = time
    self.zones = zones
  }

  /// Whether a source observes such conditions.
  func observes(_ condition: Condition) -> Bool { sources.contains { $0.observes(condition.subject) } }

  /// Finds out what ``refusal(of:)`` has to know.
  func prepare(_ condition: Condition) async {
    await sources.first { $0.observes(condition.subject) }?.prepare(condition.subject)
  }

  /// Why a request for a condition cannot be accepted now; nil if it can.
  func refusal(of condition: Condition) -> String? {
    sources.first { $0.observes(condition.subject) }?.refusal(of: condition.subject)
  }

  private var now: ArmedRequest.Moment { ArmedRequest.Moment(wall: time.wall, elapsed: time.elapsed) }

  /// Calls `whenChanged` when there is something to fire or to store, until ``end()``.
  func start(_ whenChanged: @escaping () -> Void) {
    self.whenChanged = whenChanged
    for source in sources { source.whenObserved = { [weak self] in self?.observed($0, $1) } }
  }

  func end() {
    for source in sources { source.whenObserved = { _, _ in } }
    for (subject, one) in watched { one.source.unwatch(subject) }
    (watched, requests, met, changed, deadlines, waking) = ([:], [:], [], [], [:], [])
    whenChanged = {}
  }

  // MARK: Requests

  /// Arms a request that waits for a condition; the requests must come in the order of their revisions. Returns it
  /// decoded, or nil if it cannot be armed.
  func arm(_ stored: StoredRequest) -> NotificationRequest? {
    last = stored.revision
    guard let request = Payload.request(stored), var armed = ArmedRequest(stored, request, zones: zones, now),
      let source = sources.first(where: { $0.observes(armed.condition.subject) })
    else { return nil }
    let subject = armed.condition.subject
    let place = watched.index(forKey: subject)
    let isFirst = place == nil
    if let place { armed.share(watched[place].key) }
    let kept = Armed(armed)
    requests[stored.revision] = kept
    if armed.wakes { waking.insert(stored.revision) }
    let one = watched[subject] ?? Watched(source: source, reading: StateReading(subject, holds: armed.state.holds))
    one.revisions.insert(stored.revision)
    watched[subject] = one
    schedule(kept)
    if isFirst {
      if armed.state.holds == true { source.expect(subject) }
      // Last, because it may be observed at once.
      source.watch(subject)
    } else if one.obstacle == nil, let holds = one.reading.holds, !subject.isEvent {
      change([stored.revision]) { $0.observe(holds, one.event, $1) }
    }
    return request
  }

  /// Forgets requests that were replaced, cancelled or finished.
  func forget(_ revisions: [StoredRequest.Revision]) {
    for revision in revisions {
      changed.remove(revision)
      waking.remove(revision)
      deadlines[revision] = nil
      guard let subject = requests.removeValue(forKey: revision)?.request.condition.subject, let one = watched[subject]
      else {
        continue
      }
      one.revisions.remove(revision)
      guard one.revisions.isEmpty else { continue }
      watched[subject] = nil
      one.source.unwatch(subject)
    }
  }

  /// The state of a request to be stored; nil if it is not armed.
  func state(of revision: StoredRequest.Revision) -> ArmedState? { requests[revision]?.request.state }

  /// What is known of the subject of a request now.
  func standing(of revision: StoredRequest.Revision) -> ConditionStanding? {
    guard let request = requests[revision]?.request, let one = watched[request.condition.subject] else { return nil }
    return ConditionStanding(
      holds: one.obstacle == nil && !request.condition.subject.isEvent ? one.reading.holds : nil,
      obstacle: one.obstacle, met: request.state.met, folded: Int(clamping: request.state.folded))
  }

  /// The subjects that nothing is known of, and why.
  var obstacles: [(subject: Condition.Subject, reason: String)] {
    watched.compactMap { subject, one in one.obstacle.map { (subject, $0) } }.sorted { $0.0.text < $1.0.text }
  }

  /// Whether any request waits for a condition.
  var isWaiting: Bool { !requests.isEmpty }

  /// When the next state has lasted for long enough that wakes the machine; nil if there is none.
  var nextWake: Timestamp? {
    let (elapsed, wall) = (time.elapsed, time.wall)
    return waking.compactMap { requests[$0]?.request.holdEnd }.min().map { wall + max(0, $0 - elapsed) }
  }

  // MARK: Observations

  private func observed(_ subject: Condition.Subject, _ observation: Observation) {
    guard let one = watched[subject] else { return }
    let revisions = one.revisions.sorted()
    if case .unknown(let reason) = observation {
      one.obstacle = reason
      change(revisions) { request, _ in
        request.lose()
        return nil
      }
      return
    }
    let holds = one.reading.read(observation)
    one.obstacle = nil
    one.event = observation.event
    if case .happened(let event) = observation {
      change(revisions) { $0.happened(event, $1) }
    } else if let holds, !subject.isEvent {
      change(revisions) { $0.observe(holds, observation.event, $1) }
    }
  }

  private func change(
    _ revisions: [StoredRequest.Revision], _ body: (inout ArmedRequest, ArmedRequest.Moment) -> ArmedRequest.Met?
  ) {
    let now = now
    var isAny = false
    for revision in revisions {
      guard let armed = requests[revision] else { continue }
      let before = armed.request.state
      let one = body(&armed.request, now)
      if let one { met.append(one) }
      // A count alone is stored later, with the next change: a storm must not become one of writes.
      if one != nil || before.holds != armed.request.state.holds || before.since != armed.request.state.since {
        changed.insert(revision)
        isAny = true
      }
      schedule(armed)
    }
    if isAny { whenChanged() }
  }

  /// Some of the states that are to be stored.
  func changedStates(_ limit: Int) -> [(revision: StoredRequest.Revision, state: ArmedState)] {
    changed.prefix(limit).compactMap { revision in requests[revision].map { (revision, $0.request.state) } }
  }

  /// Whether all states are stored.
  var isStored: Bool { changed.isEmpty }

  /// They are stored.
  func wereStored(_ revisions: [StoredRequest.Revision]) { changed.subtract(revisions) }

  /// Removes the first requests from those to be fired.
  func removeMet(_ count: Int) { met.removeFirst(count) }

  /// Removes requests that were shown without having been written.
  func removeMet(where isShown: (StoredRequest.Revision) -> Bool) { met.removeAll { isShown($0.revision) } }

  // MARK: Time

  /// The elapsed time at which the next request is to be looked at; nil if none waits for time to pass.
  var nextDeadline: Int64? { deadlines.values.min() }

  private func schedule(_ armed: Armed) {
    let now = now
    let end = armed.request.until.map { now.elapsed + max(0, $0 - now.wall) + 1000 }
    deadlines[armed.request.revision] = [armed.request.holdEnd, end].compactMap { $0 }.min()
  }

  /// Looks at the requests that waited for time to pass.
  func pass() {
    let elapsed = time.elapsed
    change(deadlines.filter { $0.value <= elapsed }.map(\.key).sorted()) { $0.pass($1) }
  }

  /// The wall clock was set, or a zone has changed.
  func clockChanged() {
    let limited = requests.filter { $0.value.request.isLimited }.map(\.key).sorted()
    change(limited) { request, now in
      request.findWindow(zones)
      return request.pass(now)
    }
  }
}

/// What is known about the condition that a request waits for.
public struct ConditionStanding: Hashable, Sendable {
  /// Whether its subject is true; nil if that is not known, or has no meaning.
  public let holds: Bool?
  /// Why nothing is known; nil if something is.
  public let obstacle: String?
  /// When it was last met.
  public let met: Timestamp?
  /// How often it would have been met since, if there were no pause between two.
  public let folded: Int
}

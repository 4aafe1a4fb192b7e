// SPDX-License-Identifier: Apache-2.0

/// What must be shown, when and how often, and which actions must run: written from the rules of the project's manual, and
/// sharing no code with the center.
///
/// The simulation tells it what happens in the world, and what the center does. It notes each difference. A method is
/// called before the world changes for something (`advance`), and again after it.
final class Model {
  var zone: String
  /// The requests that wait for a date, by their id.
  var waiting: [String: Waiting] = [:]
  /// What has come and is not on the screen yet.
  var expected: [Expectation] = []
  var screen = ModelScreen()
  var runs: [Run] = []
  private(set) var differences: [Difference] = []
  private(set) var showings = 0

  var isOn = false { didSet { noteGood(oldValue, isOn) } }
  var isAwake = true {
    didSet {
      noteGood(oldValue, isAwake)
      if !isAwake { sleptAt = last.now }
      // A pause after a refusal does not go by while the machine sleeps.
      if isAwake, !oldValue, refusedAt + Self.longestPause > sleptAt { refusedAt = last.now }
    }
  }
  var hasServer = false { didSet { noteGood(oldValue, hasServer) } }
  /// How long the server takes to answer.
  var answerTime: Int64 = 0
  private var goodSince: Int64 = 0
  private var refusedAt: Int64 = .min / 2
  private var sleptAt: Int64 = 0
  private var last: Moment
  /// The difference of the wall clock and the elapsed time, as the center knew it last.
  private var knownOffset: Int64

  /// A click on a button that launches something.
  struct Run {
    let entry: String
    let at: Int64
    /// If false, the center ended so soon after the click that it may not have got it.
    var isRequired = true
  }

  /// How long before the end of the center what it did may not have been recorded yet: 100 ms until a sync, and the turn
  /// of the loop.
  static let doubt: Int64 = 300
  /// How late a notification may be: the second of its date.
  private static let lateness: Int64 = 900
  /// The longest pause after refusals, and some.
  private static let longestPause: Int64 = 70_000

  init(zone: String, _ moment: Moment) {
    self.zone = zone
    last = moment
    knownOffset = moment.wall - moment.elapsed
  }

  func fail(_ text: String) { if differences.count < 20 { differences.append(Difference(at: last.now, text: text)) } }

  private func noteGood(_ old: Bool, _ new: Bool) { if new, !old { goodSince = last.now } }

  private var isGood: Bool { isOn && isAwake && hasServer }

  // MARK: Time

  /// Lets time pass up to a moment: dates come, in their order.
  func advance(to moment: Moment) {
    defer { last = moment }
    guard isOn, isAwake else { return }
    while let (key, late) = nearest(moment) {
      // Those that came while there was no center, or before the clock was set, come now.
      fire(key, moment.earlier(min(late, moment.now - last.now)))
    }
    knownOffset = moment.wall - moment.elapsed
    checkLate(moment)
  }

  /// The waiting request whose date came first, and how long ago.
  private func nearest(_ moment: Moment) -> (key: String, late: Int64)? {
    var nearest: (key: String, late: Int64)?
    for key in waiting.keys.sorted() {
      guard let one = waiting[key] else { continue }
      let late = late(one, moment)
      if late >= 0, late > nearest?.late ?? -1 { nearest = (key, late) }
    }
    return nearest
  }

  private func late(_ one: Waiting, _ moment: Moment) -> Int64 {
    switch one.date {
    case .elapsed(let due, _, _): moment.elapsed - due
    case .instant(let due): moment.wall - due * 1000
    case .wall(let wall, _, _, _): moment.wall - instant(wall, one.spec) * 1000
    }
  }

  func instant(_ wall: Int64, _ spec: RequestSpec) -> Int64 { LocalTime.zone(spec.zone ?? zone).instant(ofWall: wall) }

  /// The next date of a waiting request, in milliseconds on the wall clock.
  func nextDate(_ one: Waiting, _ moment: Moment) -> Int64 { moment.wall - late(one, moment) }

  /// A date has come: the request is shown, unless it is too late, and waits for the next one.
  private func fire(_ key: String, _ moment: Moment) {
    guard var one = waiting[key] else { return }
    var missed: Int64 = 0
    var late = late(one, moment)
    var next: Waiting.Date?
    switch one.date {
    case .instant: break
    case .elapsed(let due, let pause?, let left):
      if !one.isEach { missed = min(late / pause, left.map { Int64($0) - 1 } ?? .max) }
      late -= missed * pause
      let rest = left.map { $0 - Int(missed) - 1 }
      if rest != 0 { next = .elapsed(due + (missed + 1) * pause, pause: pause, left: rest) }
    case .elapsed(_, nil, _): break
    case .wall(let wall, let pattern?, let left, let until):
      var (wall, rest) = (wall, left.map { $0 - 1 })
      while let following = following(wall, pattern, one.spec, until), rest != 0 {
        if !one.isEach, instant(following, one.spec) * 1000 <= moment.wall {
          missed += 1
          wall = following
          rest = rest.map { $0 - 1 }
          continue
        }
        next = .wall(following, pattern, left: rest, until: until)
        break
      }
      late = moment.wall - instant(wall, one.spec) * 1000
    case .wall(_, nil, _, _): break
    }
    if let next { one.date = next }
    waiting[key] = next == nil ? nil : one
    if one.isSkipping, late > (one.spec.grace.map { $0 * 1000 } ?? 60_000) { return }
    expect(
      Expectation(
        spec: one.spec, key: key, isPostponed: one.isPostponed, due: moment.wall - late, missed: missed...missed,
        at: moment.now))
  }

  /// The next wall time that is a later moment.
  private func following(_ wall: Int64, _ pattern: DatePattern, _ spec: RequestSpec, _ until: Int64?) -> Int64? {
    let moment = instant(wall, spec)
    var following = pattern.next(afterWall: wall)
    while let one = following, instant(one, spec) <= moment { following = pattern.next(afterWall: one) }
    guard let following, until.map({ following <= $0 }) ?? true else { return nil }
    return following
  }

  /// A newer date of a request that is not on the screen yet stands for the earlier one as well.
  private func expect(_ new: Expectation) {
    var new = new
    if !new.isEach {
      for old in expected where old.key == new.key && old.spec.number == new.spec.number {
        let count = old.missed.upperBound + 1
        // It may have been on the screen already.
        let least = old.isRequired && !old.isAgain ? old.missed.lowerBound + 1 : 0
        new.tookPlace = true
        new.missed = (new.missed.lowerBound + least)...(new.missed.upperBound + count)
      }
      expected.removeAll { $0.key == new.key }
    }
    expected.append(new)
  }

  // MARK: Calls

  /// The date of a new request; nil if it is due now. Throws if it is to be refused.
  func date(of spec: RequestSpec, _ moment: Moment) throws(RefusedDate) -> Waiting.Date? {
    let local = LocalTime.zone(spec.zone ?? zone)
    let now = moment.wall / 1000
    let wall = local.wall(at: now)
    switch spec.when {
    case .now: return nil
    case .after(let seconds): return .elapsed(moment.elapsed + seconds * 1000, pause: nil, left: nil)
    case .every(let seconds, _, let count):
      return .elapsed(moment.elapsed + seconds * 1000, pause: seconds * 1000, left: count)
    case .at(let days, let minute, let isInstant):
      let date = (wall / 86_400 + Int64(days)) * 86_400 + Int64(minute) * 60
      let instant = local.instant(ofWall: date)
      // A minute late is now.
      if instant * 1000 < moment.wall - 60_000 { throw RefusedDate() }
      return isInstant ? .instant(instant) : .wall(date, nil, left: nil, until: nil)
    case .matchOnce(let pattern):
      guard let date = first(pattern, spec, now, wall) else { throw RefusedDate() }
      return .wall(date, nil, left: nil, until: nil)
    case .dates(let pattern, _, let count, let untilDays):
      let until = untilDays.map { (wall / 86_400 + Int64($0)) * 86_400 + 7 * 60 }
      guard let date = first(pattern, spec, now, wall), until.map({ date <= $0 }) ?? true else { throw RefusedDate() }
      return .wall(date, pattern, left: count, until: until)
    }
  }

  struct RefusedDate: Error {}

  private func first(_ pattern: DatePattern, _ spec: RequestSpec, _ now: Int64, _ wall: Int64) -> Int64? {
    // What is shown twice may still come.
    var first = pattern.next(afterWall: wall - 10_800)
    while let one = first, instant(one, spec) <= now { first = pattern.next(afterWall: one) }
    return first
  }

  /// The center has stored a request with this date.
  func accepted(_ spec: RequestSpec, _ date: Waiting.Date?) {
    waiting[spec.id] = nil
    // What waits for a server is replaced. What is on the screen stays until the new one comes.
    expected.removeAll { $0.key == spec.id }
    screen.doubt(of: spec.id)
    if let date {
      waiting[spec.id] = Waiting(spec: spec, key: spec.id, date: date, isPostponed: false)
    } else {
      expect(Expectation(spec: spec, key: spec.id, isPostponed: false, due: nil, missed: 0...0, at: last.now))
    }
  }

  /// The center has cancelled a request, with its postponed copy.
  func cancelled(_ id: String) {
    for key in [id, Self.copy(of: id)] {
      waiting[key] = nil
      expected.removeAll { $0.key == key }
    }
  }

  static func copy(of id: String) -> String { id + ".snoozed" }

  // MARK: What the center does

  /// The server got a notification. Returns whether it may be there.
  func posted(_ title: String, as number: UInt32, replacing: UInt32) {
    showings += 1
    let places = expected.indices.filter { expected[$0].spec.title == title }
    let place =
      places.filter { expected[$0].isRequired }.min { (expected[$0].due ?? 0) < (expected[$1].due ?? 0) }
      ?? places.first
    guard let place else {
      // After a restart of the center, an alert on the screen is shown again in its place.
      if let kept = screen.popups[replacing], kept.expectation.spec.title == title, kept.isOfEarlierCenter {
        return screen.show(kept.expectation, as: number, at: last.now)
      }
      return fail("'\(title)' is shown and should not be")
    }
    let one = expected.remove(at: place)
    if one.isRequired { checkOrder(one) }
    if one.isRequired, last.now > limit(of: one) {
      fail("'\(title)' is late: \(Duration.milliseconds(last.now - one.at)) after its date")
    }
    screen.show(one, as: number, at: last.now)
  }

  /// Of those that came at the same moment, the earlier date is shown first.
  private func checkOrder(_ one: Expectation) {
    // The missed dates of 'each' come one after the other, each with what is due by then.
    guard !one.isAgain, !one.isEach, !one.tookPlace, last.now > refusedAt + Self.longestPause else { return }
    for other in expected
    where other.isRequired && !other.isAgain && !other.isEach && other.at == one.at && other.key != one.key {
      if let earlier = other.due, let due = one.due, earlier < due {
        fail("'\(one.spec.title)' is shown before '\(other.spec.title)', whose date is earlier")
      }
    }
  }

  func refused() { refusedAt = last.now }

  /// Until when it must be on the screen; the distant future while that is impossible.
  private func limit(of one: Expectation) -> Int64 {
    guard isGood else { return .max }
    let slow = answerTime == 0 ? 0 : 2 * answerTime + 1000
    let start = max(one.at, goodSince)
    return (start > refusedAt + Self.longestPause ? start : max(start, refusedAt + Self.longestPause)) + slow
      + Self.lateness
  }

  private func checkLate(_ moment: Moment) {
    for one in expected where one.isRequired && moment.now > limit(of: one) {
      fail("'\(one.spec.title)' has not been shown; it was due \(Duration.milliseconds(moment.now - one.at)) ago")
    }
    expected.removeAll { $0.isRequired && moment.now > limit(of: $0) }
    if isGood {
      // What was left in doubt has been shown by now, or will not be; but for what may have been postponed.
      let begin = max(goodSince, refusedAt)
      expected.removeAll { !$0.isRequired && !$0.comesAnyTime && moment.now > max($0.at, begin) + 600_000 }
    }
    for run in runs where run.isRequired && moment.now > run.at + 2_000 { fail("'\(run.entry)' was not launched") }
    runs.removeAll { $0.isRequired && moment.now > $0.at + 2_000 }
  }

  /// The center reports that a request is on the screen.
  func delivered(_ key: String, due: Int64?, missed: Int) {
    // Of several that may have come, the screen has one.
    let reasons = screen.reasons(for: key) + expected.filter { $0.key == key && !$0.isRequired }
    if reasons.contains(where: { $0.explains(due: due, missed: missed) }) { return }
    fail(
      "'\(key)' is reported with the date \(due.map(CivilDay.rfc3339) ?? "none") and \(missed) missed dates, not "
        + reasons.map { "\($0.due.map { CivilDay.rfc3339($0 / 1000) } ?? "none") and \($0.missed)" }
        .joined(separator: " or "))
  }

  func launched(_ entry: String) {
    guard let place = runs.firstIndex(where: { $0.entry == entry }) else {
      return fail("'\(entry)' was launched without a click, or twice")
    }
    runs.remove(at: place)
  }

  // MARK: What the user does

  func clickedLaunch(_ number: UInt32) {
    guard let popup = screen.leave(number, at: last.now) else { return }
    runs.append(Run(entry: popup.expectation.spec.entry, at: last.now))
  }

  func clickedSnooze(_ number: UInt32, _ moment: Moment) {
    guard let popup = screen.leave(number, at: last.now), let seconds = popup.expectation.spec.snooze else { return }
    let (spec, key) = (popup.expectation.spec, popup.expectation.key)
    let isCopy = spec.isRepeating && !popup.expectation.isPostponed
    let new = isCopy ? Self.copy(of: key) : key
    expected.removeAll { $0.key == new }
    waiting[new] = Waiting(
      spec: spec, key: new, date: .elapsed(moment.elapsed + seconds * 1000, pause: nil, left: nil), isPostponed: true)
    screen.noteSnooze(popup, as: new, at: last.now)
  }

  /// It has left the screen because its time was over, or because the user dismissed it.
  func left(_ number: UInt32) {
    guard let popup = screen.leave(number, at: last.now) else { return }
    // A center that is not there does not learn of it, and shows an alert again.
    if !isOn, popup.expectation.spec.isAlert { expected.append(popup.expectation.perhapsAgain) }
  }

  // MARK: Faults

  /// The server, and all that it showed, is gone.
  func serverIsGone() {
    hasServer = false
    // The center may not have heard that the user dismissed it.
    for popup in screen.left(since: last.now - Self.doubt) where popup.expectation.spec.isAlert {
      expected.append(popup.expectation.perhapsAgain)
    }
    for popup in screen.leaveAll() {
      // Without an answer, the center does not know that it was shown.
      guard popup.expectation.spec.isAlert || popup.answeredAt == nil else { continue }
      var again = popup.expectation
      again = Expectation(
        spec: again.spec, key: again.key, isPostponed: again.isPostponed, due: again.due, missed: again.missed,
        at: last.now, isRequired: !popup.isDoubtful, isAgain: true)
      if !again.isEach, expected.contains(where: { $0.key == again.key }) { again.isRequired = false }
      expected.append(again)
    }
  }

  /// The center has ended, and may have forgotten what it did last.
  func centerHasEnded() {
    isOn = false
    fireAhead()
    for index in runs.indices { runs[index].isRequired = false }
    // If its date was not recorded, it has been missed.
    for index in expected.indices where expected[index].spec.missed == .skip { expected[index].isRequired = false }
    for popup in screen.latest(since: last.now - Self.doubt) { expected.append(popup.expectation.perhapsAgain) }
    for snooze in screen.snoozed(since: last.now - Self.doubt) {
      // It may be postponed, or not, or be postponed from the restart on.
      if waiting[snooze.key]?.isPostponed == true { waiting[snooze.key] = nil }
      expected.append(
        Expectation(
          spec: snooze.popup.expectation.spec, key: snooze.key, isPostponed: true, due: nil, missed: 0...99,
          at: last.now, isRequired: false, isAgain: true, comesAnyTime: true))
    }
    screen.noteEndOfCenter(at: last.now)
  }

  /// The center records a date a moment before it comes. If it ends then, the date has come, as the clock showed it
  /// or as it shows it at the restart.
  private func fireAhead() {
    let moment = last.earlier(-Self.lead)
    while let (key, _) = nearest(moment) {
      fire(key, moment)
      for index in expected.indices where expected[index].key == key { expected[index].due = nil }
    }
  }

  private static let lead: Int64 = 25

  /// A date that was found before the machine started anew, when its clocks had this difference.
  func date(_ date: Waiting.Date?, foundAt offset: Int64) -> Waiting.Date? {
    guard case .elapsed(let due, let pause, let left)? = date else { return date }
    return .elapsed(due + offset - knownOffset, pause: pause, left: left)
  }

  /// The machine has started anew: the elapsed time began again, and the dates on the wall clock stay.
  func booted(_ moment: Moment) {
    let offset = moment.wall - moment.elapsed
    for (key, one) in waiting {
      guard case .elapsed(let due, let pause, let left) = one.date else { continue }
      waiting[key]?.date = .elapsed(due + knownOffset - offset, pause: pause, left: left)
    }
    knownOffset = offset
  }
}

extension RequestSpec {
  var isRepeating: Bool {
    switch when {
    case .every, .dates: true
    case .now, .after, .at, .matchOnce: false
    }
  }
}

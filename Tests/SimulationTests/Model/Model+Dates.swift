// SPDX-License-Identifier: Apache-2.0

/// Dates that come.
extension Model {
  /// The waiting request whose date came first, and how long ago.
  func nearest(_ moment: Moment) -> (key: String, late: Int64)? {
    var nearest: (key: String, late: Int64)?
    for key in waiting.keys.sorted() {
      guard let one = waiting[key] else { continue }
      let late = late(one, moment)
      if late >= 0, late > nearest?.late ?? -1 { nearest = (key, late) }
    }
    return nearest
  }

  func late(_ one: Waiting, _ moment: Moment) -> Int64 {
    switch one.date {
    case .elapsed(let due, _, _): moment.elapsed - due
    case .instant(let due): moment.wall - due * 1000
    case .wall(let wall, _, _, _): moment.wall - instant(wall, one.spec) * 1000
    }
  }

  func instant(_ wall: Int64, _ spec: RequestSpec) -> Int64 { LocalTime.zone(spec.zone ?? zone).instant(ofWall: wall) }

  /// The next date of a waiting request, in milliseconds on the wall clock.
  func nextDate(_ one: Waiting, _ moment: Moment) -> Int64 { moment.wall - late(one, moment) }

  /// The effects of a date on its request.
  struct Passing {
    var late: Int64
    /// How many dates have come before it, and were missed.
    var missed: Int64 = 0
    var next: Waiting.Date?
    /// Its wall time, if it has one.
    var wall: Int64?
  }

  /// Passes the date of a waiting request, and the later ones that have come as well.
  func passing(_ one: Waiting, _ moment: Moment) -> Passing {
    var passing = Passing(late: late(one, moment))
    switch one.date {
    case .instant, .elapsed(_, nil, _): break
    case .elapsed(let due, let pause?, let left):
      if !one.isEach { passing.missed = min(passing.late / pause, left.map { Int64($0) - 1 } ?? .max) }
      passing.late -= passing.missed * pause
      let rest = left.map { $0 - Int(passing.missed) - 1 }
      if rest != 0 { passing.next = .elapsed(due + (passing.missed + 1) * pause, pause: pause, left: rest) }
    case .wall(let wall, let pattern?, let left, let until):
      var (wall, rest) = (wall, left.map { $0 - 1 })
      while let following = following(wall, pattern, one.spec, until), rest != 0 {
        if !one.isEach, instant(following, one.spec) * 1000 <= moment.wall {
          passing.missed += 1
          wall = following
          rest = rest.map { $0 - 1 }
          continue
        }
        passing.next = .wall(following, pattern, left: rest, until: until)
        break
      }
      passing.late = moment.wall - instant(wall, one.spec) * 1000
      passing.wall = wall
    case .wall(let wall, nil, _, _): passing.wall = wall
    }
    return passing
  }

  /// A date has come: the request is shown, unless it is too late, and waits for the next one.
  func fire(_ key: String, _ moment: Moment) {
    guard let one = waiting[key] else { return }
    let passing = passing(one, moment)
    let due = moment.wall - passing.late
    firings += 1
    fired = fired.filter { $0.at > moment.awake - Self.memory }
    fired.append(
      Fired(number: firings, one: one, expected: expected.filter { $0.key == key }, date: due, at: moment.awake))
    // A single date comes, whatever had its wall time before.
    let isHandled = passing.wall.map { wasHandled($0, of: one) } == true && one.hasPattern
    waiting[key] = passing.next == nil ? nil : one
    if let next = passing.next { waiting[key]?.date = next }
    if isHandled { return }
    if one.isSkipping, passing.late > (one.spec.grace.map { $0 * 1000 } ?? 60_000) { return }
    expect(
      Expectation(
        spec: one.spec, key: key, isPostponed: one.isPostponed, due: due, missed: passing.missed...passing.missed,
        at: moment.now, firing: firings))
  }

  /// Notes that a local date has come; returns whether an earlier request with its id had it.
  private func wasHandled(_ wall: Int64, of one: Waiting) -> Bool {
    let name = "\(one.key) \(wall) \(one.spec.zone ?? "")"
    let number = handled[name] ?? one.spec.number
    handled[name] = number
    return number != one.spec.number
  }

  /// The next wall time that is a later moment.
  func following(_ wall: Int64, _ pattern: DatePattern, _ spec: RequestSpec, _ until: Int64?) -> Int64? {
    let moment = instant(wall, spec)
    var following = pattern.next(afterWall: wall)
    // What was before the request in this zone does not count.
    while let one = following, instant(one, spec) <= max(moment, pattern.made) {
      following = pattern.next(afterWall: one)
    }
    guard let following, until.map({ following <= $0 }) ?? true else { return nil }
    return following
  }

  /// A newer date of a request that is not on the screen yet stands for the earlier one as well.
  func expect(_ new: Expectation) {
    var new = new
    if !new.isEach {
      // Each id has one place in the queue.
      if expected.contains(where: { $0.key == new.key }) { new.tookPlace = true }
      for old in expected where old.key == new.key && old.spec.number == new.spec.number {
        let count = old.missed.upperBound + 1
        // It may have been on the screen already.
        let least = old.isRequired && !old.isAgain ? old.missed.lowerBound + 1 : 0
        new.missed = (new.missed.lowerBound + least)...(new.missed.upperBound + count)
      }
      // What a server that hangs has not shown counts as missed, and has its place in the queue again, if the center has
      // given up waiting for its answer.
      // What is on its way may not arrive.
      let underWay = flights.values.map(\.expectation).filter { $0.key == new.key }
      for one in underWay + (hasHung ? screen.unanswered(new.key, since: last.awake - Self.lead) : []) {
        new.tookPlace = true
        if one.isDate(like: new) { new.mayStand(for: one) }
      }
      // What is shown before, though it need not be, does not wait for the disk, and neither does an alert that comes
      // again. A center that does not know the server takes an alert for shown: if the newer date does not come, it may
      // come again.
      expected.removeAll { one in
        one.key == new.key && (one.isRequired && !one.isAgain || !isDiskFailing) && !(takesForShown && one.isAgain)
      }
      for index in expected.indices where expected[index].key == new.key { expected[index].isRequired = false }
    } else {
      // What is left of an older request ends, if it is not on the screen first.
      for index in expected.indices
      where expected[index].key == new.key && expected[index].spec.number < new.spec.number {
        expected[index].isRequired = false
      }
    }
    new.changes = changes
    expected.append(new)
  }
}

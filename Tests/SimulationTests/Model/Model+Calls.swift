// SPDX-License-Identifier: Apache-2.0

/// Calls of programs that the center has answered.
extension Model {
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
      // A minute late is now, in whole seconds.
      if instant < now - 60 { throw RefusedDate() }
      return isInstant ? .instant(instant) : .wall(date, nil, left: nil, until: nil)
    case .matchOnce(let pattern):
      guard let date = first(pattern, spec, now, wall) else { throw RefusedDate() }
      return .wall(date, nil, left: nil, until: nil)
    case .dates(let pattern, let notation, let count, let untilDays):
      let until = untilDays.map { (wall / 86_400 + Int64($0)) * 86_400 + 7 * 60 }
      // A rule begins in the second in which it is made, which may be its first date.
      guard let date = first(pattern, spec, notation == .rule ? now - 1 : now, wall), until.map({ date <= $0 }) ?? true
      else { throw RefusedDate() }
      var pattern = pattern
      // A rule begins at a wall time, which moves with the zone.
      if notation != .rule { pattern.made = now }
      return .wall(date, pattern, left: count, until: until)
    }
  }

  struct RefusedDate: Error {}

  /// The first date after a moment.
  func first(_ pattern: DatePattern, _ spec: RequestSpec, _ moment: Int64, _ wall: Int64) -> Int64? {
    // What is shown twice may still come.
    var first = pattern.next(afterWall: wall - 10_800)
    while let one = first, instant(one, spec) <= moment { first = pattern.next(afterWall: one) }
    return first
  }

  /// The center has stored a request with this date.
  ///
  /// - Parameters:
  ///   - made: when it was called.
  ///   - isAnswered: whether its caller knows. If the center ended first, what waited for a server may come before it
  ///     or not, as if the call had come later or sooner.
  func accepted(_ spec: RequestSpec, _ date: Waiting.Date?, made: Int64, isAnswered: Bool = true) {
    waiting[spec.id] = nil
    newest[spec.id] = spec.number
    // What waits for a server is replaced. What is on the screen stays until the new one comes. What the call found on
    // the screen may have lost its server before the answer, and comes again; what it found on its way there arrives.
    // If the store has the newer one, it has the end of what was not on its way there.
    if !isAnswered, !hadServer { expected.removeAll { $0.key == spec.id && $0.at < made && !$0.wasSent } }
    for index in expected.indices where expected[index].key == spec.id {
      expected[index].isRequired = false
      let isUnderWay = isUnderWay(expected[index])
      if isAnswered, expected[index].at < made, !takesForShown, !isUnderWay { expected[index].isOver = true }
    }
    screen.doubt(of: spec.id)
    if let date {
      waiting[spec.id] = Waiting(spec: spec, key: spec.id, date: date, isPostponed: false)
    } else {
      expect(Expectation(spec: spec, key: spec.id, isPostponed: false, due: nil, missed: 0...0, at: last.now))
    }
  }

  /// The center has cancelled a request, with its postponed copy.
  func cancelled(_ id: String) {
    for key in Self.keys(of: id) {
      waiting[key] = nil
      // What a server shows stays. Until the center knows which server that is, it takes an alert for shown.
      expected.removeAll { $0.key == key && !(takesForShown && $0.isAgain) }
      for index in expected.indices where expected[index].key == key { expected[index].isRequired = false }
      screen.cancel(key)
      for (call, flight) in flights where flight.expectation.key == key { flights[call]?.isCancelled = !flight.isKept }
    }
  }

  /// A request waits for nothing any more, and the center ended before it answered a call that cancels it: what was due
  /// then comes or not.
  func perhapsCancelled(_ key: String) {
    for index in expected.indices where expected[index].key == key { expected[index].isRequired = false }
  }

  /// The ids of a request and of its postponed copy.
  static func keys(of id: String) -> [String] { [id, copy(of: id)] }

  static func copy(of id: String) -> String { id + ".snoozed" }
}

extension RequestSpec {
  var isRepeating: Bool {
    switch when {
    case .every, .dates: true
    case .now, .after, .at, .matchOnce: false
    }
  }
}

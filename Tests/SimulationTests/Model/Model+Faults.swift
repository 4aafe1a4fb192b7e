// SPDX-License-Identifier: Apache-2.0

/// What ends, and what the center may have forgotten then.
extension Model {
  /// The server, and all that it showed, is gone.
  func serverIsGone() {
    hasServer = false
    hasLost = false
    serverHangs(false)
    screenIsCleared()
  }

  /// Nothing of what the server showed is left.
  func screenIsCleared() {
    // The center may not have heard that the user dismissed it, or that it was there.
    for popup in screen.left(since: doubtful) where popup.expectation.spec.isAlert || popup.answeredAt == nil {
      expected.append(popup.expectation.perhapsAgain)
    }
    screen.endTelling(at: last.awake)
    for popup in screen.leaveAll() {
      // If the center ended before the answer, the one before it was on the screen for it, and was not cancelled.
      if popup.isCancelled, let earlier = popup.earlier.last(where: { $0.expectation.spec.isAlert }) {
        expected.append(earlier.expectation.perhapsAgain)
      }
      if popup.isCancelled, popup.answeredAt == nil { screen.noteLeft(popup, at: last.awake) }
      if popup.isCancelled || popup.isClosing { continue }
      // Without an answer, the center does not know that it was shown.
      guard popup.expectation.spec.isAlert || popup.answeredAt == nil else {
        // It forgets that as well if it ends before the answer is recorded.
        screen.noteLeft(popup, at: last.awake)
        continue
      }
      var again = popup.expectation
      again = Expectation(
        spec: again.spec, key: again.key, isPostponed: again.isPostponed, due: again.due, missed: again.missed,
        at: last.now, firing: again.firing, isRequired: !popup.isDoubtful && !popup.isUnknown, isAgain: true)
      again.showing = popup.showing
      // A newer request is due, and ends it whether it is shown beside others or not.
      // What is on its way takes its place.
      let underWay = flights.values.map(\.expectation).filter { $0.key == again.key }
      if expected.contains(where: { $0.key == again.key && $0.spec.number > again.spec.number })
        || underWay.contains(where: { !again.isEach || $0.spec.number != again.spec.number })
        || popup.answeredAt == nil && newest[again.spec.id] ?? again.spec.number != again.spec.number
      {
        again.isRequired = false
      }
      for newer in expected.indices where !again.isEach && expected[newer].key == again.key {
        again.isRequired = false
        // It may wait for a server already when the newer date takes its place.
        if expected[newer].isDate(like: again) { expected[newer].mayStand(for: again) }
        if popup.answeredAt == nil { expected[newer].tookPlace = true }
      }
      expected.append(again)
    }
  }

  /// The center has ended, and may have forgotten what it did last.
  func centerHasEnded(isPowerLoss: Bool) {
    isOn = false
    isEndUntold = false
    unheard = [:]
    if isPowerLoss { screen.loseAnswers(since: doubtful) }
    hadServer = hasServer
    fireAhead()
    noteUnrecorded()
    for index in expected.indices { expected[index].refusals = 0 }
    for index in runs.indices { runs[index].isRequired = false }
    app.centerHasEnded(last, doubtful)
    // If its date was not recorded, it has been missed.
    for index in expected.indices where expected[index].spec.missed == .skip { expected[index].isRequired = false }
    endedInDoubt = !flights.isEmpty || screen.latest(since: .max).contains { $0.answeredAt == nil }
    // What is on its way may arrive, and comes again.
    lateFlights = isPowerLoss ? [:] : flights
    noneArrives()
    for popup in screen.latest(since: doubtful) {
      for again in popup.again(forgottenSince: doubtful) {
        for newer in expected.indices where expected[newer].key == again.key && !expected[newer].isAgain {
          // Each id has one place in the queue. It comes alone, or with the newer date that is due.
          expected[newer].tookPlace = true
          if expected[newer].isDate(like: again) { expected[newer].mayStand(for: again) }
        }
        expected.append(again)
      }
    }
    for one in vague {
      var again = one.perhapsAgain
      again.forgetDate()
      expected.append(again)
    }
    vague = []
    for snooze in screen.snoozed(since: doubtful) {
      // It may be postponed, or not, or be postponed from the restart on.
      if waiting[snooze.key]?.isPostponed == true { waiting[snooze.key] = nil }
      let one = Expectation(
        spec: snooze.spec, key: snooze.key, isPostponed: true, due: nil, missed: 0...99, at: last.now,
        isRequired: false, isAgain: true, comesAnyTime: true)
      // The one before it may come first, because the center did not record that it is replaced.
      expected += snooze.hadEarlier ? [one, one] : [one]
    }
    screen.noteEndOfCenter(forgottenSince: doubtful)
    screen.endTelling(at: last.awake)
  }

  /// The center records a date a moment before it comes. If it ends then, the date has come, as the clock showed it
  /// or as it shows it at the restart.
  func fireAhead() {
    let moment = last.earlier(-Self.lead)
    while let (key, _) = nearest(moment) {
      let isSkipping = waiting[key]?.isSkipping == true
      let earlier = expected.filter { $0.key == key }
      fire(key, moment)
      for index in expected.indices where expected[index].key == key { expected[index].due = nil }
      if !isSkipping { continue }
      // A late restart skips the date. Then, what it would have replaced comes as before.
      for var one in earlier where !expected.contains(where: { $0.key == key && $0.firing == one.firing }) {
        one.isRequired = false
        expected.append(one)
      }
    }
  }

  /// The clock is about to be set. A date that comes in a moment has been recorded, and comes now.
  func clockChanges() {
    guard isOn, isAwake else { return }
    let moment = last.earlier(-Self.record)
    while let (key, _) = nearest(moment) { fire(key, moment) }
  }

  /// How long before its date a request is recorded.
  private static let record: Int64 = 20
  /// The same, and some.
  static let lead: Int64 = 25

  /// A date that was found before the machine started anew, when its clocks had this difference.
  func date(_ date: Waiting.Date?, foundAt offset: Int64) -> Waiting.Date? {
    guard case .elapsed(let due, let pause, let left)? = date else { return date }
    return .elapsed(due + offset - knownOffset, pause: pause, left: left)
  }

  /// The machine has started anew: the elapsed time began again, and the dates on the wall clock stay.
  func booted(_ moment: Moment) {
    let offset = moment.wall - moment.elapsed
    for key in waiting.keys {
      waiting[key]?.forgetDrift()
      waiting[key]?.delay(by: knownOffset - offset)
    }
    drift = 0
    unrecorded.booted(knownOffset - offset)
    knownOffset = offset
  }
}

// SPDX-License-Identifier: Apache-2.0

/// What the center does, and whether it is right.
extension Model {
  /// Of those that came at the same moment, the earlier date is shown first.
  func checkOrder(_ one: Expectation) {
    // The missed dates of 'each' come one after the other, each with what is due by then.
    guard !one.isAgain, !one.isEach, !one.tookPlace, !isEndUntold, !isDiskFailing,
      last.now > max(refusedAt, lostAt) + Self.longestPause
    else { return }
    // It may have the place of an earlier date, which the center before had sent.
    if last.now == startedAt, endedInDoubt { return }
    // One that replaces another needs no room.
    if server.isFirm { return }
    for other in expected
    where other.isRequired && !other.isAgain && !other.isEach && other.at == one.at && other.changes == one.changes
      && other.key != one.key
    {
      // It waits for the number of the notification that it replaces, or for room that this one does not need.
      if isAwaited(other.key) || answers[other.key] == last.now || roomSince == nil { continue }
      if let earlier = other.due, let due = one.due, earlier < due {
        fail("'\(one.spec.title)' is shown before '\(other.spec.title)', whose date is earlier")
      }
    }
  }

  /// Until when it must be on the screen; the distant future while that is impossible.
  func limit(of one: Expectation) -> Int64 {
    guard isGood else { return .max }
    let slow = answerTime == 0 && delay == 0 ? 0 : 2 * answerTime + 4 * delay + 1000
    var start = max(
      one.at, goodSince + server.begins, (failedAt ?? .min / 2) + Self.recovery, lostAt + Self.longestPause)
    if server.mustWait(one) {
      guard let roomSince else { return .max }
      // What an earlier center left there may have gone without a word. The center waits for that.
      start = max(start, roomSince, server.isFirm ? startedAt + Self.longestPause : 0)
    }
    if screen.isAnswerDue(one.key) { return .max }
    if let answer = answers[one.key] { start = max(start, answer) }
    // One after the other.
    if server.rests, screen.isAnyAnswerDue || !flights.isEmpty { return .max }
    if server.rests { start = max(start, lastAnswer) }
    return (start > refusedAt + Self.longestPause ? start : max(start, refusedAt + Self.longestPause)) + slow
      + Self.lateness
  }

  func checkLate(_ moment: Moment) {
    let late = expected.indices.filter { expected[$0].isRequired && moment.now > limit(of: expected[$0]) }
    for index in late.reversed() {
      let one = expected.remove(at: index)
      fail("'\(one.spec.title)' has not been shown; it was due \(Duration.milliseconds(moment.now - one.at)) ago")
    }
    if isGood {
      // What was left in doubt has been shown by now, or will not be; but for what may have been postponed.
      let begin = max(goodSince, refusedAt)
      expected.removeAll { one in
        let room = server.mustWait(one) ? roomSince ?? moment.now : begin
        return !one.isRequired && !one.comesAnyTime && moment.now > max(one.at, begin, room) + 600_000
      }
      // A click that the earlier center may not have got.
      runs.removeAll { !$0.isRequired && moment.now > max($0.at, begin) + 600_000 }
    }
    for run in runs where run.isRequired && moment.now > run.at + 2_000 { fail("'\(run.entry)' was not launched") }
    runs.removeAll { $0.isRequired && moment.now > $0.at + 2_000 }
  }

  /// The center reports that a request is on the screen.
  func delivered(_ key: String, due: Int64?, missed: Int) {
    // A date that did not wait for the disk may have come before one that did.
    if isDiskFailing { screen.forgetDates(of: key) }
    // Of several that may have come, the screen has one.
    let reasons = screen.reasons(for: key) + expected.filter { $0.key == key && !$0.isRequired }
    if reasons.contains(where: { $0.explains(due: due, missed: missed) }) { return }
    fail(
      "'\(key)' is reported with the date \(due.map(CivilDay.rfc3339) ?? "none") and \(missed) missed dates, not "
        + reasons.map { "\($0.due.map { CivilDay.rfc3339($0 / 1000) } ?? "none") and \($0.missed)" }
        .joined(separator: " or "))
  }

  func launched(_ entry: String) {
    let places = runs.indices.filter { runs[$0].entry == entry }
    guard let place = places.first(where: { runs[$0].isRequired }) ?? places.first else {
      return fail("'\(entry)' was launched without a click, or twice")
    }
    runs.remove(at: place)
    if !mayRefuse { screen.launched(entry) }
  }
}

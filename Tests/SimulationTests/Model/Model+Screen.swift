// SPDX-License-Identifier: Apache-2.0

/// What the center does, and whether it is right.
extension Model {
  /// The server got a notification.
  ///
  /// - Parameters:
  ///   - key: the id of the request: it and its postponed copy have the same title.
  ///   - date: which of its dates, as the center has it: of those that are shown side by side, the server may refuse
  ///     one for a moment, and the next ones go on.
  func posted(_ title: String, of key: String, date: Int64?, as number: UInt32, replacing: UInt32) {
    showings += 1
    guard let place = place(of: title, key, date, replacing) else {
      if let kept = kept(title, replacing) {
        return screen.show(kept, as: number, at: last.awake, keepsDates: isDiskFailing)
      }
      return screen.vague.contains(title) ? () : fail("'\(title)' is shown and should not be")
    }
    var one = expected.remove(at: place)
    one.refusals = 0
    if one.isRequired { checkOrder(one) }
    if one.isRequired, last.now > limit(of: one) {
      fail("'\(title)' is late: \(Duration.milliseconds(last.now - one.at)) after its date")
    }
    screen.show(one, as: number, at: last.awake, keepsDates: isDiskFailing)
    // Of dates that are shown side by side, the center does not find the one that it can record only later.
    if isDiskFailing, one.isEach {
      screen.doubt(of: key)
      screen.vague.insert(title)
      vague.append(one)
    }
  }

  /// The server refused a notification. After several times, the center gives it up, unless the error says nothing
  /// about the notification.
  func refused(_ title: String, of key: String, date: Int64?, replacing: UInt32, isForTheMoment: Bool) {
    refusedAt = last.now
    if isForTheMoment { return }
    guard let place = place(of: title, key, date, replacing) else { return }
    expected[place].refusals += 1
    if expected[place].refusals == Self.mostRefusals { expected.remove(at: place) }
  }

  private static let mostRefusals = 5

  /// The position of the due notification that the center shows now.
  private func place(of title: String, _ key: String, _ date: Int64?, _ replacing: UInt32) -> Int? {
    var places = expected.indices.filter { expected[$0].spec.title == title && expected[$0].key == key }
    if let date {
      let exact = places.filter { expected[$0].isEach && expected[$0].due.map { abs($0 - date) < 1_000 } == true }
      let kept = screen.popups[replacing]?.expectation
      // One that is on the screen already is none of those that are due.
      if !exact.isEmpty || kept?.isEach == true && kept?.spec.title == title { places = exact }
    }
    func isDate(_ one: Expectation) -> Bool { one.due.flatMap { due in date.map { abs(due - $0) < 1_000 } } ?? true }
    // It comes before the next date, for which the center waits for the disk.
    if isDiskFailing, let kept = kept(title, replacing), kept.key == key, kept.due != nil, date != nil, isDate(kept),
      !places.contains(where: { expected[$0].due != nil && isDate(expected[$0]) })
    {
      return nil
    }
    let sure =
      places.filter { expected[$0].isRequired }.min { (expected[$0].due ?? 0) < (expected[$1].due ?? 0) }
      ?? places.first { !expected[$0].comesAnyTime && isDate(expected[$0]) }
    if let sure { return sure }
    if let kept = kept(title, replacing), kept.key == key, isDate(kept) { return nil }
    return places.first { expected[$0].comesAnyTime } ?? places.first
  }

  /// After a restart of the center, an alert on the screen is shown again in its place. So is a date that the newer one
  /// would have been shown for, had it not waited for the disk.
  private func kept(_ title: String, _ replacing: UInt32) -> Expectation? {
    guard let popup = screen.popups[replacing], popup.expectation.spec.title == title else { return nil }
    let isNew = isDiskFailing && failed.map { popup.shownAt >= $0.lowerBound } == true
    return popup.isOfEarlierCenter || isNew ? popup.expectation : nil
  }

  /// Of those that came at the same moment, the earlier date is shown first.
  func checkOrder(_ one: Expectation) {
    // The missed dates of 'each' come one after the other, each with what is due by then.
    guard !one.isAgain, !one.isEach, !one.tookPlace, !isDiskFailing, last.now > refusedAt + Self.longestPause else {
      return
    }
    for other in expected
    where other.isRequired && !other.isAgain && !other.isEach && other.at == one.at && other.changes == one.changes
      && other.key != one.key
    {
      // It waits for the number of the notification that it replaces.
      if screen.isAwaited(other.key) { continue }
      if let earlier = other.due, let due = one.due, earlier < due {
        fail("'\(one.spec.title)' is shown before '\(other.spec.title)', whose date is earlier")
      }
    }
  }

  /// Until when it must be on the screen; the distant future while that is impossible.
  func limit(of one: Expectation) -> Int64 {
    guard isGood else { return .max }
    let slow = answerTime == 0 ? 0 : 2 * answerTime + 1000
    let start = max(one.at, goodSince, (failedAt ?? .min / 2) + Self.recovery)
    return (start > refusedAt + Self.longestPause ? start : max(start, refusedAt + Self.longestPause)) + slow
      + Self.lateness
  }

  func checkLate(_ moment: Moment) {
    for one in expected where one.isRequired && moment.now > limit(of: one) {
      fail("'\(one.spec.title)' has not been shown; it was due \(Duration.milliseconds(moment.now - one.at)) ago")
    }
    expected.removeAll { $0.isRequired && moment.now > limit(of: $0) }
    if isGood {
      // What was left in doubt has been shown by now, or will not be; but for what may have been postponed.
      let begin = max(goodSince, refusedAt)
      expected.removeAll { !$0.isRequired && !$0.comesAnyTime && moment.now > max($0.at, begin) + 600_000 }
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

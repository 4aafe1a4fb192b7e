// SPDX-License-Identifier: Apache-2.0

/// A notification on its way to the server.
struct Flight {
  var expectation: Expectation
  let title: String
  /// Whether it is on the screen already, and shown again in its place.
  let isKept: Bool
  /// Whether it has been cancelled since: the center closes it when the server answers.
  var isCancelled = false
}

/// What the center sends to the server, and whether it is right.
extension Model {
  /// The center sends a notification.
  ///
  /// - Parameters:
  ///   - key: the id of the request: it and its postponed copy have the same title.
  ///   - date: which of its dates, as the center has it: of those that are shown side by side, the server may refuse
  ///     one for a moment, and the next ones go on.
  func sends(_ title: String, of key: String, date: Int64?, replacing: UInt32, as call: Int) {
    if let place = place(of: title, key, date, replacing) {
      let one = expected.remove(at: place)
      if one.isRequired { checkOrder(one) }
      // In the moment in which it hears of the end, it may send it still.
      flights[call] = Flight(expectation: one, title: title, isKept: false, isCancelled: one.heardAt == last.now)
    } else if let kept = kept(title, replacing) {
      flights[call] = Flight(expectation: kept, title: title, isKept: true)
    } else if !screen.vague.contains(title) {
      fail("'\(title)' is shown and should not be")
    }
  }

  /// The server shows what the center sent.
  ///
  /// - Returns: the number of this showing; nil if the model does not know it.
  func shows(_ call: Int, as number: UInt32) -> Int? {
    showings += 1
    guard let flight = flights.removeValue(forKey: call) else { return nil }
    var one = flight.expectation
    one.refusals = 0
    if one.isRequired, !flight.isKept, last.now > limit(of: one) {
      fail("'\(flight.title)' is late: \(Duration.milliseconds(last.now - one.at)) after its date")
    }
    let showing = screen.show(one, as: number, at: last.awake, keepsDates: isDiskFailing)
    if flight.isCancelled { screen.change(showing) { $0.isCancelled = true } }
    // Of dates that are shown side by side, the center does not find the one that it can record only later.
    if isDiskFailing, one.isEach, !flight.isKept {
      screen.doubt(of: one.key)
      screen.vague.insert(flight.title)
      vague.append(one)
    }
    return showing
  }

  /// The center learns that it is on the screen.
  func hearsOfShowing(_ showing: Int) {
    screen.answered(showing, at: last.awake)
    if let popup = screen.popup(showing) { answers[popup.expectation.key] = last.now }
    // A banner that has gone since does not come again.
    for index in expected.indices where expected[index].showing == showing && !expected[index].spec.isAlert {
      expected[index].isRequired = false
    }
  }

  /// The server refused it. After several times, the center gives it up, unless the error says nothing about the
  /// notification.
  func refused(_ call: Int, isForTheMoment: Bool) {
    refusedAt = last.now
    if !isForTheMoment { flights[call]?.expectation.refusals += 1 }
    if flights[call]?.expectation.refusals == Self.mostRefusals { flights[call] = nil }
    didNotArrive(call)
  }

  private static let mostRefusals = 5

  /// The server has not got it, or has not shown it: the center sends it again.
  func didNotArrive(_ call: Int) {
    guard let flight = flights.removeValue(forKey: call) else { return }
    var one = flight.expectation
    one.wasSent = !isOn
    // A center that ends before the answer forgets that it has been cancelled.
    if flight.isCancelled, isOn { return }
    if flight.isKept || flight.isCancelled {
      one = one.perhapsAgain
      one.at = last.now
    }
    for index in expected.indices where !one.isEach && expected[index].key == one.key {
      // A newer one waits in its place.
      one.isRequired = false
      if expected[index].isDate(like: one) { expected[index].mayStand(for: one) }
    }
    if let newest = newest[one.key], newest != one.spec.number { one.isRequired = false }
    expected.append(one)
  }

  /// Whether the center waits for the answer to a call that has shown this already.
  func isUnderWay(_ one: Expectation) -> Bool {
    unheard.values.contains(one.showing) || screen.popup(one.showing).map { $0.answeredAt == nil } ?? false
  }

  /// Nothing of what is on its way arrives.
  func noneArrives() { for call in flights.keys.sorted() { didNotArrive(call) } }

  /// Whether the server has yet to answer a post of this id.
  func isAwaited(_ key: String) -> Bool {
    screen.isAwaited(key) || flights.values.contains { $0.expectation.key == key }
  }

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
    let dated = places.first { place in
      expected[place].isRequired && expected[place].due != nil && date != nil && isDate(expected[place])
    }
    let sure =
      dated ?? places.filter { expected[$0].isRequired }.min { (expected[$0].due ?? 0) < (expected[$1].due ?? 0) }
      ?? places.first { !expected[$0].comesAnyTime && isDate(expected[$0]) }
    if let sure { return sure }
    if let kept = kept(title, replacing), kept.key == key, isDate(kept) { return nil }
    return places.first { expected[$0].comesAnyTime } ?? places.first
  }

  /// After a restart of the center, an alert on the screen is shown again in its place. So is a date that the newer one
  /// would have been shown for, had it not waited for the disk.
  private func kept(_ title: String, _ replacing: UInt32) -> Expectation? {
    // The user may have dismissed it, and the center does not know that yet.
    guard let popup = screen.popups[replacing] ?? screen.untold(replacing), popup.expectation.spec.title == title
    else { return nil }
    let isNew = isDiskFailing && failed.map { popup.shownAt >= $0.lowerBound } == true
    return popup.isOfEarlierCenter || isNew ? popup.expectation : nil
  }
}

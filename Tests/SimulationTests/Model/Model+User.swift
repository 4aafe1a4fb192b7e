// SPDX-License-Identifier: Apache-2.0

/// What the user does.
extension Model {
  /// A notification has left the screen because the user answered it, or because its time was over.
  ///
  /// - Returns: its showing, until the center is told.
  func leaves(_ number: UInt32) -> Int? {
    guard let popup = screen.leave(number, at: isOn ? .max : last.awake) else { return nil }
    // A center that is not there does not learn of it, and shows an alert again.
    if !isOn, popup.expectation.spec.isAlert { expected.append(popup.expectation.perhapsAgain) }
    return popup.showing
  }

  /// The center learns that one has left the screen.
  @discardableResult
  func hears(of showing: Int) -> ModelScreen.Popup? {
    guard let popup = screen.arrived(showing, at: last.awake) else { return nil }
    // It may have sent it again already.
    for index in expected.indices where expected[index].showing == showing {
      expected[index].isRequired = false
      expected[index].heardAt = last.now
    }
    // A number that it does not know means nothing to it.
    if popup.isUnknown { return popup }
    for (call, flight) in flights
    where (flight.expectation.isAgain || flight.isKept) && flight.expectation.isSame(as: popup.expectation) {
      flights[call]?.isCancelled = true
    }
    screen.cancel(popup.expectation.key, only: popup.expectation)
    return popup
  }

  /// The center learns that the user has pressed a button.
  func pressed(_ key: String, _ showing: Int?, _ moment: Moment) {
    guard let popup = showing.flatMap({ hears(of: $0) }) else { return }
    expected.removeAll { $0.showing == popup.showing }
    switch key {
    case "open": runs.append(Run(entry: popup.expectation.spec.entry, at: last.now))
    case "tell": pressedForApp(popup)
    default: snoozed(popup, moment)
    }
  }

  private func snoozed(_ popup: ModelScreen.Popup, _ moment: Moment) {
    let (spec, key) = (popup.expectation.spec, popup.expectation.key)
    guard let seconds = spec.snooze else { return }
    let isCopy = spec.isRepeating && !popup.expectation.isPostponed
    let new = isCopy ? Self.copy(of: key) : key
    let hadEarlier = waiting[new] != nil || expected.contains { $0.key == new }
    // What waits for room may take that of this one first.
    expected.removeAll { $0.key == new && !$0.waitsForRoom && !isUnderWay($0) }
    for index in expected.indices where expected[index].key == new { expected[index].isRequired = false }
    waiting[new] = Waiting(
      spec: spec, key: new, date: .elapsed(moment.elapsed + seconds * 1000, pause: nil, left: nil), isPostponed: true)
    screen.note(ModelScreen.Snooze(spec: spec, key: new, hadEarlier: hadEarlier, at: last.awake))
  }
}

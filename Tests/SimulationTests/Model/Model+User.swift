// SPDX-License-Identifier: Apache-2.0

/// What the user does.
extension Model {
  func clickedLaunch(_ number: UInt32) {
    guard let popup = screen.leave(number, at: last.awake) else { return }
    runs.append(Run(entry: popup.expectation.spec.entry, at: last.now))
  }

  func clickedSnooze(_ number: UInt32, _ moment: Moment) {
    guard let popup = screen.leave(number, at: last.awake), let seconds = popup.expectation.spec.snooze else { return }
    let (spec, key) = (popup.expectation.spec, popup.expectation.key)
    let isCopy = spec.isRepeating && !popup.expectation.isPostponed
    let new = isCopy ? Self.copy(of: key) : key
    let hadEarlier = waiting[new] != nil || expected.contains { $0.key == new }
    expected.removeAll { $0.key == new }
    waiting[new] = Waiting(
      spec: spec, key: new, date: .elapsed(moment.elapsed + seconds * 1000, pause: nil, left: nil), isPostponed: true)
    screen.note(ModelScreen.Snooze(spec: spec, key: new, hadEarlier: hadEarlier, at: last.awake))
  }

  /// It has left the screen because its time was over, or because the user dismissed it.
  func left(_ number: UInt32) {
    guard let popup = screen.leave(number, at: last.awake) else { return }
    // A center that is not there does not learn of it, and shows an alert again.
    if !isOn, popup.expectation.spec.isAlert { expected.append(popup.expectation.perhapsAgain) }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Messages that are lost, or come late.
extension Model {
  func messageIsLost() {
    lostAt = last.now
    hasLost = true
  }

  /// The center does not learn that it is on the screen, and shows it again.
  func answerIsLost(_ showing: Int, of call: Int) {
    unheard[call] = showing
    screen.change(showing) { $0.isUnknown = true }
    guard let popup = screen.popup(showing) else { return }
    var again = perhapsAgain(popup.expectation)
    again.showing = showing
    expected.append(again)
  }

  /// The center takes it for shown, and the server has closed it.
  func closingForRoomIsLost(_ showing: Int) {
    for index in expected.indices where expected[index].showing == showing {
      expected[index].isRequired = false
      expected[index].comesAnyTime = true
    }
  }

  /// The center takes it for closed, and it is still there.
  func closingIsLost(_ number: UInt32) {
    guard let popup = screen.popups[number] else { return }
    screen.change(popup.showing) { popup in
      popup.isDoubtful = true
      popup.isUnknown = true
    }
  }

  /// The center closed what was not on the screen any more.
  func closedUnknown(_ number: UInt32) {
    if let popup = screen.takeUntold(number, at: last.awake) { comeAnyTime(popup) }
  }

  func comeAnyTime(_ popup: ModelScreen.Popup) {
    guard popup.expectation.spec.isAlert else { return }
    var again = perhapsAgain(popup.expectation)
    again.comesAnyTime = true
    expected.append(again)
  }

  /// A center that has ended sent it, and it came only now: the next center may show it as well.
  func showsLate(_ call: Int, as number: UInt32) -> Int? {
    showings += 1
    guard let flight = lateFlights.removeValue(forKey: call) else { return nil }
    let known = flight.expectation
    for index in expected.indices
    where expected[index].spec.title == known.spec.title && expected[index].key == known.key {
      expected[index].isRequired = false
    }
    let showing = screen.show(known, as: number, at: last.awake, keepsDates: true)
    expected.append(perhapsAgain(known))
    screen.change(showing) { popup in
      popup.isUnknown = true
      popup.isDoubtful = true
      popup.isOfEarlierCenter = true
    }
    return showing
  }
}

// SPDX-License-Identifier: Apache-2.0
import SuzuTesting

/// What the model knows of the server.
struct ModelServer {
  /// How many notifications the center may keep open; nil if any number.
  var room: Int?
  /// Whether it keeps to that, and lets the next ones wait. Otherwise it closes one for them.
  var isFirm = false
  /// How long after its start the center leaves it alone, in milliseconds.
  var begins: Int64 = 0
  /// Whether the center leaves it alone for a moment after each notification.
  var rests = false

  /// Whether one can only come when there is room.
  func mustWait(_ one: Expectation) -> Bool { room != nil && (isFirm || one.waitsForRoom) }
}

extension ModelServer {
  init(_ manner: ServerManner) {
    let limit = manner.profile.room
    isFirm = manner.drawn != nil || limit?.overflow == .crashes
    room = manner.drawn ?? (isFirm || limit?.closingReason != nil ? limit?.limit : nil)
    begins = manner.blindTime == 0 ? 0 : 1_500
    rests = manner.rest > 0
  }
}

/// Servers with little room, and what is closed there.
extension Model {
  /// Whether the center can know how many notifications the server shows.
  private var isRoomKnown: Bool {
    !hasLost && !hasStrangers
      && !screen.popups.values.contains { $0.isUnknown || $0.isOfEarlierCenter && $0.isDoubtful }
  }

  /// The server closed it for another one. An alert has not been answered, and comes back.
  ///
  /// - Parameter isClear: whether the reason that it gives cannot be that of the user.
  /// - Returns: its showing, until the center is told.
  func closedForRoom(_ number: UInt32, isClear: Bool) -> Int? {
    guard let popup = screen.leave(number, at: isOn ? .max : last.awake) else { return nil }
    let isKnown = isClear ? !isDoubted(popup) : isRoomKnown && isSure(popup)
    comeBack(popup, isRequired: isKnown && !isReplaced(popup))
    return popup.showing
  }

  /// The center sends a call that closes it, and takes it for closed.
  ///
  /// - Parameter replaced: the ids of requests that are being stored.
  func closes(_ number: UInt32, replaced: Set<String>) {
    guard let popup = screen.popups[number] else {
      // It has not heard yet that the user has dismissed it, and lets it make room.
      if server.room != nil, let popup = screen.untold(number) { comeAnyTime(popup) }
      return
    }
    screen.change(popup.showing) { $0.isClosing = true }
    let one = popup.expectation
    // A newer request ends all dates that are shown side by side, before it is on its way itself.
    let isSure = isSure(popup) && isOn && !replaced.contains(one.key) && !isReplaced(popup) && !one.isEach
    // One that came though it need not may have been answered before.
    comeBack(popup, isRequired: isSure && one.isRequired)
    guard isSure, one.isRequired, one.spec.expires == nil, !popup.isCancelled else { return }
    if server.room == nil {
      if !one.spec.isAlert { fail("'\(one.spec.title)' is closed without a reason") }
    } else if one.spec.isAlert, let banner = sureBanner {
      fail("the alert '\(one.spec.title)' is closed for room, though the banner '\(banner)' is there")
    }
  }

  /// Whether a newer notification takes its place, or a newer request.
  private func isReplaced(_ popup: ModelScreen.Popup) -> Bool {
    let one = popup.expectation
    return newest[one.spec.id].map { $0 != one.spec.number } == true
      || expected.contains { $0.key == one.key && !$0.isAgain }
      || flights.values.contains { $0.expectation.key == one.key }
  }

  /// The title of a banner that could be closed as well.
  private var sureBanner: String? {
    if answerTime > 0 || delay > 0 || hasHung || isServerUnknown { return nil }
    return screen.popups.values.first { popup in
      !popup.expectation.spec.isAlert && isSure(popup) && !expected.contains { $0.key == popup.expectation.key }
        && !flights.values.contains { $0.expectation.key == popup.expectation.key }
    }?.expectation.spec.title
  }

  /// The server has closed it for the center.
  func closed(_ number: UInt32) { screen.leave(number, at: last.awake) }

  /// Whether there is no doubt that the center has it on the screen.
  private func isSure(_ popup: ModelScreen.Popup) -> Bool { popup.answeredAt != nil && !isDoubted(popup) }

  /// Whether the center may take it for something else, or for closed.
  private func isDoubted(_ popup: ModelScreen.Popup) -> Bool {
    popup.isClosing || popup.isDoubtful || popup.isUnknown || popup.isOfEarlierCenter
  }

  /// Expects an alert once more: it was closed without an answer of the user.
  private func comeBack(_ popup: ModelScreen.Popup, isRequired: Bool) {
    guard popup.expectation.spec.isAlert, !popup.isCancelled else { return }
    var again = perhapsAgain(popup.expectation)
    again.waitsForRoom = server.room != nil
    again.isRequired = isRequired && popup.expectation.spec.expires == nil
    again.showing = popup.showing
    // The center may take it for shown, until it does not know that server any more.
    again.comesAnyTime = !isRequired && server.room != nil
    expected.append(again)
  }

  /// The server has taken it, and not drawn it.
  func hidden(_ call: Int) {
    let key = flights[call]?.expectation.key
    didNotArrive(call)
    if isRoomKnown { return }
    for index in expected.indices where expected[index].key == key {
      expected[index].isRequired = false
      // If the report of its end is lost, the center takes it for shown.
      expected[index].comesAnyTime = true
    }
  }

  /// It was too much for the server.
  func crashed(_ title: String) {
    if isRoomKnown { fail("'\(title)' makes the server crash") }
  }

  /// The same, if it may come once more from now on.
  func perhapsAgain(_ one: Expectation) -> Expectation {
    var again = one.perhapsAgain
    again.at = last.now
    return again
  }
}

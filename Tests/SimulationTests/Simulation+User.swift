// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import SuzuTesting

@testable import suzud

/// What the user does.
extension Simulation {
  /// What comes after a notification has been shown.
  func schedule(_ reaction: SimulatedUser.Reaction, of number: UInt32, after time: Int64) {
    let version = server.popups[number]?.version
    machine.after(time) { [self] in
      // A server that hangs takes no clicks, and ends nothing.
      server.whenGoing { [self] in
        guard let popup = server.popups[number], popup.version == version else { return }
        react(reaction, to: popup, number)
      }
    }
  }

  func react(_ reaction: SimulatedUser.Reaction, to popup: SimulatedServer.Popup, _ number: UInt32) {
    let profile = server.manner.profile
    look()
    if reaction == .expire {
      let isTold = profile.tellsOfExpiry && !(server.manner.keepsExpired && !popup.notification.isTransient)
      // Otherwise it stays in the server's list.
      guard isTold || server.manner.longest != nil else { return }
      note("expired \(number)")
      return end(number, [1])
    }
    // The user does nothing while there is no center, and leaves what the model cannot tell.
    guard let center, !center.isDead, let shown = model.screen.popups[number], !shown.isDoubtful,
      shown.answeredAt != nil
    else { return }
    switch reaction {
    case .press(let key) where popup.notification.actions.contains { $0.key == key }:
      note("user presses \(key) of \(number)")
      press(key, of: number, popup)
      if key == "later" { cancelSoon(shown.expectation.spec, version: popup.version) }
    default:
      note("user dismisses \(number)")
      end(number, profile.reasonsAfterDismissal)
    }
  }

  /// The server ends a notification, and says why.
  private func end(_ number: UInt32, _ reasons: [UInt32]) {
    let posted = posted(number)
    guard server.close(number) else { return }
    closed(posted, reasons, model.leaves(number))
  }

  private func press(_ key: String, of number: UInt32, _ popup: SimulatedServer.Popup) {
    let (manner, posted) = (server.manner, posted(number))
    let reasons = manner.profile.reasonsAfterClick.map { ClosedReason(rawValue: $0) ?? .undefined }
    let ends = !reasons.isEmpty && !(manner.profile.keepsResident && popup.notification.isResident)
    if ends { _ = server.close(number) }
    let pressed = model.leaves(number)
    if ends, manner.closesFirst { signal(.closed(posted, reasons[0])) }
    // A double click is two signals.
    let isTwice = popup.version % 20 == 0
    let arrives = { [self] in model.pressed(key, pressed, moment) }
    // What follows would count instead of one that is lost.
    let isKept = isTwice || manner.profile.sendsDefaultAfterAction
    signal(.actionInvoked(posted, key: key), pressed, isKept: isKept, arrives: arrives)
    if isTwice { machine.after(0) { [self] in signal(.actionInvoked(posted, key: key)) } }
    if manner.profile.sendsDefaultAfterAction {
      signal(.actionInvoked(posted, key: ServerNotification.defaultKey))
    }
    if ends, !manner.closesFirst { for reason in reasons { signal(.closed(posted, reason), pressed) } }
    guard manner.endsOthersOnPress else { return }
    for (other, popup) in server.popups.sorted(by: { $0.key < $1.key })
    where other != number && !popup.notification.isResident {
      model.fail("a click also ends '\(popup.notification.summary)'")
      end(other, [2])
    }
  }

  /// A program cancels what was postponed, now and then.
  private func cancelSoon(_ spec: RequestSpec, version: Int) {
    var random = SeededRandom(script.seed, for: "cancel \(spec.title), \(version)")
    guard random.isTrue(in: 15) else { return }
    machine.after(random.number(1_000...50_000)) { [self] in
      note("a program cancels \(spec.id)")
      look()
      cancel(spec.id)
    }
  }
}

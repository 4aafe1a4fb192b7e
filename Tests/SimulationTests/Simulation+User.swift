// SPDX-License-Identifier: Apache-2.0
import Freedesktop

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
    guard let state = server.state else { return }
    let posted = PostedNumber(server: state.owner, number: number)
    look()
    if reaction == .expire {
      // It stays in the server's list.
      guard server.manner.tellsOfExpiry else { return }
      note("expired \(number)")
      _ = server.close(number)
      model.left(number)
      return closed(posted, .expired)
    }
    // The user does nothing while there is no center, and leaves what the model cannot tell.
    guard let center, !center.isDead, let shown = model.screen.popups[number], !shown.isDoubtful,
      shown.answeredAt != nil
    else { return }
    switch reaction {
    case .press(let key) where popup.notification.actions.contains { $0.key == key }:
      note("user presses \(key) of \(number)")
      if server.manner.press == .closesFirst { end(number, of: posted) }
      if key == "open" {
        model.clickedLaunch(number)
      } else if key == "tell" {
        model.clickedForApp(number)
      } else {
        model.clickedSnooze(number, moment)
        cancelSoon(shown.expectation.spec, version: popup.version)
      }
      invoke(posted, key, isTwice: popup.version % 20 == 0)
      if server.manner.press == .closes { end(number, of: posted) }
    default:
      note("user dismisses \(number)")
      _ = server.close(number)
      model.left(number)
      closed(posted, server.manner.dismissed)
    }
  }

  /// The server ends it because a button was pressed.
  private func end(_ number: UInt32, of posted: PostedNumber) {
    if server.close(number) { center?.receive(.closed(posted, server.manner.dismissed)) }
  }

  /// A double click is two signals.
  private func invoke(_ number: PostedNumber, _ key: String, isTwice: Bool) {
    center?.receive(.actionInvoked(number, key: key))
    if isTwice { machine.after(0) { [self] in center?.receive(.actionInvoked(number, key: key)) } }
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

  /// The signal comes a little later than the change.
  func closed(_ number: PostedNumber, _ reason: ClosedReason) {
    server.whenGoing { [self] in
      machine.after(Int64(number.number % 3) * 40) { [self] in
        center?.receive(.closed(number, reason))
        // Some say it twice.
        if number.number % 7 == 0 { machine.after(0) { [self] in center?.receive(.closed(number, reason)) } }
      }
    }
  }
}

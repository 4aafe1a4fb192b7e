// SPDX-License-Identifier: Apache-2.0
import Freedesktop

@testable import suzud

/// What the user does.
extension Simulation {
  /// What comes after a notification has been shown.
  func schedule(_ reaction: SimulatedUser.Reaction, of number: UInt32, after time: Int64) {
    let version = server.popups[number]?.version
    machine.after(time) { [self] in
      guard let popup = server.popups[number], popup.version == version else { return }
      react(reaction, to: popup, number)
    }
  }

  func react(_ reaction: SimulatedUser.Reaction, to popup: SimulatedServer.Popup, _ number: UInt32) {
    guard let state = server.state else { return }
    let posted = PostedNumber(server: state.owner, number: number)
    look()
    if reaction == .expire {
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
      if key == "open" {
        model.clickedLaunch(number)
      } else {
        model.clickedSnooze(number, moment)
        cancelSoon(shown.expectation.spec, version: popup.version)
      }
      center.receive(.actionInvoked(posted, key: key))
    default:
      note("user dismisses \(number)")
      _ = server.close(number)
      model.left(number)
      closed(posted, .dismissed)
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

  /// The signal comes a little later than the change.
  func closed(_ number: PostedNumber, _ reason: ClosedReason) {
    machine.after(Int64(number.number % 3) * 40) { [self] in center?.receive(.closed(number, reason)) }
  }
}

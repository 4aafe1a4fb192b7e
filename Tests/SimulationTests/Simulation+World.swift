// SPDX-License-Identifier: Apache-2.0
import CenterContract
import Freedesktop
import NotificationModel

@testable import suzud

/// What the center can reach.
extension Simulation: SimulatedCenter.Outside {
  var serverState: ServerState? { server.state }
  var busID: String { bus.text }
  var isServerHung: Bool { server.isHung }

  func ask(_ answered: @escaping () -> Void) { server.whenGoing(answered) }

  func post(
    _ notification: ServerNotification, of id: String, date: Int64?, replacing number: UInt32,
    answer: @escaping (Swift.Result<UInt32, PostFailure>) -> Void
  ) {
    look()
    let given = server.post(notification, replacing: number) { [self] result in
      if case .success(let number) = result {
        model.screen.answered(number, at: machine.awake)
        shown()
      }
      answer(result)
    }
    // What reaches the server is stored, even if its call has not returned yet.
    for (call, pending) in calls.sorted(by: { $0.key < $1.key }) {
      guard case .notify(let spec, let date, let made, _) = pending, spec.title == notification.summary else {
        continue
      }
      calls[call] = nil
      model.accepted(spec, date, made: made.now)
      look()
    }
    guard let given else {
      note("refused '\(notification.summary)'")
      return model.refused(
        notification.summary, of: id, date: date, replacing: number, isForTheMoment: server.manner.isForTheMoment)
    }
    note("shows '\(notification.summary)' as \(given)" + (number == 0 ? "" : " for \(number)"))
    model.posted(notification.summary, of: id, date: date, as: given, replacing: number)
    let count = counts[notification.summary, default: 0] + 1
    counts[notification.summary] = count
    let (reaction, time) = SimulatedUser.reaction(to: notification, showing: count, seed: script.seed)
    schedule(reaction, of: given, after: time)
    if case .atPost(let count)? = ending?.moment {
      ending?.moment = .atPost(count - 1)
      if count == 1 { endCenter() }
    }
  }

  func close(_ number: UInt32) {
    guard server.close(number), let state = server.state else { return }
    note("closes \(number)")
    look()
    model.left(number)
    closed(PostedNumber(server: state.owner, number: number), .closed)
  }

  func tell(_ event: CenterEvent) {
    switch event {
    case .delivered(_, let id, let due, let missed, _): delivered(id, due, missed)
    case .responded(let response):
      note("event \(event)")
      if response.action == "tell" { model.responded(response.number, of: response.id) }
    case .outcome(let response, let outcome):
      note("event \(event)")
      look()
      model.ended(response, outcome.description)
    default: note("event \(event)")
    }
  }

  private func delivered(_ id: String, _ due: String?, _ missed: Int) {
    note("delivered \(id) \(due ?? "-") \(missed)")
    look()
    model.delivered(id, due: due.flatMap(CivilDay.instant), missed: missed)
  }

  func launch(_ entry: String) {
    note("launches \(entry)")
    look()
    model.launched(entry)
    actionBegan()
  }

  /// The center may end right then.
  func actionBegan() {
    guard case .atLaunch(let count)? = ending?.moment else { return }
    ending?.moment = .atLaunch(count - 1)
    if count == 1 { endCenter() }
  }
}

// SPDX-License-Identifier: Apache-2.0
import DBus

/// Compares the result of a combination with the expected one. Pure.
struct Verdict {
  private(set) var problems: [String] = []

  /// - Parameters:
  /// - written: the records of the programs that ran.
  /// - rows: the center's history.
  init(
    _ combination: Combination, _ life: Sightings.Life, _ written: [ClickSession.Effect], _ rows: [[String: Value]]
  ) {
    let expectation = Expectation(combination)
    check("told", life.stages, expectation.waits + (expectation.outcome.map { [$0] } ?? []))
    checkPosts(combination, expectation, life)
    check("asked", life.questions.count, expectation.isAsked ? 1 : 0)
    checkEffect(combination, expectation, life.effects + written)
    guard expectation.effect != nil else {
      check("responded", life.responses.map(\.action), [])
      check("history", rows.map { $0["outcome"]?.string ?? $0["reason"]?.string }, ["vanished"])
      return
    }
    check("responded", life.responses.map(\.action), [combination.actionID])
    check("reply", life.responses.map(\.reply), [combination.reply])
    let answered = rows.filter { $0["action"] != nil }
    check("history", answered.map { $0["outcome"]?.string }, [expectation.outcome])
    check("history's action", answered.map { $0["action"]?.string }, [combination.actionID])
  }

  private mutating func checkPosts(
    _ combination: Combination, _ expectation: Expectation, _ life: Sightings.Life
  ) {
    // A notification that comes again may be on the screen, or on its way there, when the center is killed: it is shown
    // at least once.
    if combination.kind == .snooze && combination.moment.isBeforeCenter { return }
    let isAlert = combination.context == .full
    let again = (isAlert && combination.moment == .afterServer ? 1 : 0) + (expectation.effect == .shown ? 1 : 0)
    check("posted", life.posts, 1 + again)
    // An answered notification is not among these.
    check("posted in its own place", life.returns, isAlert && combination.moment == .afterCenter ? 1 : 0)
  }

  private mutating func checkEffect(
    _ combination: Combination, _ expectation: Expectation, _ effects: [ClickSession.Effect]
  ) {
    if combination.kind == .snooze && combination.moment.isBeforeCenter && effects.count == 2 {
      return check("done", effects.map(\.verb), ["shown", "shown"])
    }
    check("done", effects.map(\.verb), expectation.effect.map { [$0.rawValue] } ?? [])
    guard effects.count == 1, let effect = expectation.effect else { return }
    if [.run, .told, .activated].contains(effect) {
      check("done with", [effects[0].action, effects[0].reply], [combination.actionID, combination.reply ?? ""])
    }
    // A call over the bus raises no window, and after a wait the token is no longer valid.
    guard ![.told, .shown].contains(effect), expectation.waits.isEmpty, combination.kind != .putAway else { return }
    check("done with the token", effects[0].token, combination.token)
  }

  private mutating func check<T: Equatable>(_ what: String, _ is: T, _ should: T) {
    if `is` != should { problems.append("\(what): \(`is`), not \(should)") }
  }
}

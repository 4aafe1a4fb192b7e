// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests conditions on the session and the sleep of the machine from the request to the notification, with logind by
/// python-dbusmock. No machine sleeps here, and there is no input.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct PresenceConditionTests {
  @Test(arguments: ConditionStage.Way.allCases)
  func `The end of the input, and its return, are told`(_ way: ConditionStage.Way) throws {
    let stage = try ConditionStage()
    let logind = try MockLogind(in: stage.session)
    try stage.arm(
      "idle", "Idle: {event.edge}", on: ("change idle 10m", "{'idle': <'10m'>, 'edge': <'change'>}"), by: way)
    try stage.await("idle", false)
    for isIdle in [true, false, true] {
      try logind.setIdle(isIdle)
      #expect(stage.shown() == (isIdle ? "Idle: enter" : "Idle: leave"))
    }
    logind.end()
  }

  // It was accepted with a warning, and could never come on such a machine.
  @Test func `Idle is refused where nothing tells of input, and what is stored waits for it`() throws {
    let stage = try ConditionStage()
    let reason = "no desktop, Wayland compositor or logind tells how long there was no input"
    let refused = try stage.session.suzu("notify", "Idle", "--on", "idle 10m", "--id", "idle")
    #expect(refused.status == 65 && refused.output == "" && refused.errors.contains(reason), "\(refused)")
    let called = try stage.notify("{'title': <'Idle'>, 'on': <'idle 10m'>}")
    #expect(called.status != 0 && called.errors.contains("InvalidRequest"), "\(called)")
    #expect(called.errors.contains(reason), "\(called)")
    #expect(try stage.session.suzu("list", "--json").output == "[]\n")
    var logind = try MockLogind(in: stage.session)
    try logind.setIdle(false)
    let made = try stage.session.suzu("notify", "Idle", "--on", "idle 10m", "--id", "idle")
    #expect(made.status == 0 && made.output == "idle\n" && made.errors == "", "\(made)")
    try stage.await("idle", false)
    // What is stored is kept, also by a center that starts without logind, and works as soon as there is one.
    logind.end()
    try stage.session.wait(for: reason, in: "why", "idle")
    try stage.session.endCenter()
    // This starts the center again.
    try stage.session.wait(for: reason, in: "why", "idle")
    #expect(try stage.session.suzu("doctor").output.contains("idle 10m: \(reason)"))
    logind = try MockLogind(in: stage.session)
    try logind.setIdle(false)
    try stage.await("idle", false)
    try logind.setIdle(true)
    #expect(stage.shown() == "Idle")
    logind.end()
  }

  @Test(arguments: ConditionStage.Way.allCases)
  func `A machine that resumes from sleep tells it each time`(_ way: ConditionStage.Way) throws {
    let stage = try ConditionStage()
    let logind = try MockLogind(in: stage.session)
    try stage.arm("awake", "Awake: {event.condition}", on: ("awake", "{'awake': <true>}"), by: way)
    try stage.awaitWatching("awake")
    for _ in 0..<2 {
      try logind.suspend()
      #expect(stage.shown() == "Awake: awake")
    }
    logind.end()
  }

  @Test(arguments: ConditionStage.Way.allCases)
  func `An unlocked session is told, and a locked one`(_ way: ConditionStage.Way) throws {
    let stage = try ConditionStage()
    let logind = try MockLogind(in: stage.session)
    try stage.arm(
      "lock", "Unlocked: {event.edge}", on: ("change unlocked", "{'unlocked': <true>, 'edge': <'change'>}"), by: way)
    try stage.await("lock", true)
    for isLocked in [true, false] {
      try logind.setLocked(isLocked)
      #expect(stage.shown() == (isLocked ? "Unlocked: leave" : "Unlocked: enter"))
    }
    logind.end()
  }
}

// SPDX-License-Identifier: Apache-2.0
import Testing

/// Plays short scripts, in which the center or a server ends at a chosen moment.
extension SimulationTests {
  private static let id = "one"

  private static func notify(
    _ number: Int, _ when: RequestSpec.When, id: String = id, missed: RequestSpec.Missed = .deliver,
    isAlert: Bool = false
  ) -> Script.Event {
    .notify(
      RequestSpec(
        number: number, id: id, when: when, zone: nil, missed: missed, grace: nil, isAlert: isAlert, hasLaunch: false,
        snooze: nil, expires: nil))
  }

  /// What happens; fails if the model expects something else.
  private static func trace(seed: UInt64 = 1, _ events: [(second: Int64, event: Script.Event)]) throws -> [String] {
    let steps = events.enumerated().map { index, one in
      Script.Step(number: index + 1, at: one.second * 1_000, event: one.event)
    }
    // An hour past midnight, in winter.
    let script = Script(seed: seed, start: 1_768_003_200_000, length: 86_400_000, steps: steps)
    let result = try Simulation.run(script, traces: true)
    #expect(result.differences.isEmpty, "\(result.differences)")
    return result.trace
  }

  /// What is shown, by its title.
  private static func showings(seed: UInt64 = 1, _ events: [(second: Int64, event: Script.Event)]) throws -> [String] {
    try trace(seed: seed, events).filter { $0.contains("shows") }.compactMap { line in
      line.split(separator: "'").dropFirst().first.map(String.init)
    }
  }

  // MARK: Commits

  /// What is shown of a request that waits for a server when the power is lost with the commit of `last`.
  private static func showings(endedBy last: Script.Event) throws -> [String] {
    try showings([
      (1, .restartServer(60_000)), (2, notify(2, .now)), (3, .end(.afterSync(1), isPowerLoss: true, off: 1_000)),
      (4, last),
    ])
  }

  @Test func `A request that waits for a server comes after a restart`() throws {
    #expect(try Self.showings(endedBy: .setClock(1_000)) == ["one of step 2"])
  }

  @Test func `A request that was replaced while it waited for a server does not come after a restart`() throws {
    #expect(try Self.showings(endedBy: Self.notify(4, .after(300_000))).isEmpty)
  }

  @Test func `A request that was cancelled while it waited for a server does not come after a restart`() throws {
    #expect(try Self.showings(endedBy: .cancel(Self.id)).isEmpty)
  }

  // MARK: What was on the screen

  @Test func `A date shown beside others does not come back once a newer request with its id is due`() throws {
    let daily = RequestSpec.When.dates(DatePattern(minutes: [90]), .every, count: nil, untilDays: nil)
    let shown = try Self.showings([
      (1, Self.notify(1, daily, missed: .each, isAlert: true)), (1_801, Self.notify(2, .after(600))),
      (1_802, .end(.now, isPowerLoss: false, off: 3_600_000)),
    ])
    #expect(shown == ["one of step 1", "one of step 2"])
  }

  @Test func `A notification ends if what was to replace it is cancelled while the server is asked`() throws {
    let shown = try Self.showings([
      (1, .slowServer(answer: 2_000, for: 80_000_000)), (2, Self.notify(2, .now, isAlert: true)),
      (5, Self.notify(3, .now, isAlert: true)), (6, .cancel(Self.id)), (60, .end(.now, isPowerLoss: false, off: 1_000)),
      (120, .restartServer(1_000)),
    ])
    #expect(shown == ["one of step 2", "one of step 3"])
  }

  @Test func `A notification that was refused before it was shown is shown again after more refusals`() throws {
    let shown = try Self.showings([
      (1, .refuse(3)), (2, Self.notify(2, .now, isAlert: true)), (30, .restartServer(5_000)), (31, .refuse(3)),
    ])
    #expect(shown == ["one of step 2", "one of step 2"])
  }

  @Test func `An alert whose server ended before the center started can be cancelled before the next server starts`()
    throws
  {
    let shown = try Self.showings([
      (1, Self.notify(1, .now, isAlert: true)), (2, .end(.now, isPowerLoss: false, off: 5_000)),
      (3, .restartServer(60_000)), (10, .cancel(Self.id)),
    ])
    #expect(shown == ["one of step 1"])
  }

  // It came again, and could be answered again.
  @Test func `An answered alert does not come again if the center is killed before it has recorded its end`() throws {
    let alert = RequestSpec(
      number: 1, id: Self.id, when: .now, zone: nil, missed: .deliver, grace: nil, isAlert: true, hasLaunch: true,
      snooze: nil, expires: nil)
    let traces = try (1...12).map { seed in
      try Self.trace(
        seed: seed, [(1, .notify(alert)), (2, .end(.atLaunch(1), isPowerLoss: false, off: 10_000))])
    }.filter { trace in trace.contains { $0.contains("launches") } }
    #expect(traces.count > 2)
    for trace in traces {
      let counts = ["killed", "shows", "closes 1"].map { word in trace.count { $0.contains(word) } }
      #expect(counts == [2, 1, 1], "\(trace)")
    }
  }

  // The model took it for cancelled.
  @Test func `An alert that a hung server may still show is not cancelled, and comes again on a new server`() throws {
    let shown = try Self.showings([
      (1, Self.notify(1, .now, isAlert: true)), (2, .end(.now, isPowerLoss: false, off: 10_000)),
      (3, .restartServer(1_000)), (5, .hangServer(for: 20_000)), (15, .cancel(Self.id)),
    ])
    #expect(shown == ["one of step 1", "one of step 1"])
  }

  // The model took it for replaced.
  @Test func `An alert that a hung server may still show comes again if what was to replace it is replaced`() throws {
    let shown = try Self.showings([
      (1, Self.notify(1, .now, isAlert: true)), (2, Self.notify(2, .after(5))),
      (3, .end(.now, isPowerLoss: false, off: 20_000)), (4, .restartServer(1_000)), (20, .hangServer(for: 10_000)),
      (25, Self.notify(6, .after(600))),
    ])
    #expect(shown == ["one of step 1", "one of step 1", "one of step 6"])
  }

  // In a decade, the model expected nothing more of a banner once its server had ended.
  @Test func `A banner may come again if the power is lost right after the end of its server`() throws {
    let counts = try (1...8).map { seed in
      try Self.showings(
        seed: seed,
        [
          (1, Self.notify(1, .after(5))), (2, .end(.beforeSync(2), isPowerLoss: true, off: 1_000)),
          (3, .suspend(10_000)), (8, .restartServer(96)),
        ]
      ).count
    }
    #expect(counts.contains(1) && counts.contains(2), "\(counts)")
  }

  // After a start, a call with the id of a request did not find its dates that are shown side by side.
  @Test func `A date shown beside others is cancelled like any other after a restart`() throws {
    let daily = RequestSpec.When.dates(DatePattern(minutes: [90]), .every, count: nil, untilDays: nil)
    let shown = try Self.showings([
      (1, Self.notify(1, daily, missed: .each, isAlert: true)), (1_801, .end(.now, isPowerLoss: false, off: 1_000)),
      (1_803, .restartServer(60_000)), (1_810, .cancel(Self.id)),
    ])
    #expect(shown == ["one of step 1", "one of step 1"])
  }

  // Once, the dates of a zone that the user had left stayed.
  @Test(arguments: 1...4)
  func `A move that the end of the center interrupts leaves no date of that zone`(syncs: Int) throws {
    let evening = RequestSpec.When.dates(DatePattern(minutes: [1_095]), .every, count: nil, untilDays: nil)
    let shown = try Self.showings([
      (1, Self.notify(1, evening)), (2, .end(.afterSync(syncs), isPowerLoss: false, off: 10_000)),
      (3, .move("Australia/Lord_Howe")), (6, .move("Europe/Berlin")),
    ])
    #expect(!shown.isEmpty)
  }

  // MARK: First dates

  // The model expected it on the next day.
  @Test func `A rule that is made in the second of a date begins with that date`() throws {
    let rule = RequestSpec.When.dates(DatePattern(minutes: [90]), .rule, count: 1, untilDays: nil)
    #expect(try Self.showings([(1_800, Self.notify(1, rule))]) == ["one of step 1"])
    let matched = RequestSpec.When.dates(DatePattern(minutes: [90]), .match, count: 1, untilDays: nil)
    let trace = try Self.trace([(1_800, Self.notify(1, matched))]).filter { $0.contains("shows") }
    #expect(trace.count == 1 && trace.allSatisfy { $0.contains("2026-01-11T") }, "\(trace)")
  }

  // MARK: A disk that fails

  @Test func `A clock that is set while the disk fails makes nothing late that waits for elapsed time`() throws {
    let shown = try Self.showings([
      (1, Self.notify(1, .after(7_200))), (10, .failDisk(3)), (11, .setClock(-3_600_000)),
    ])
    #expect(shown == ["one of step 1"])
  }

  // MARK: Order

  @Test func `What waits for a server comes in the order of its dates, also after a restart`() throws {
    let shown = try Self.showings([
      // Of the three dates of the first one, the last is shown.
      (1, Self.notify(1, .every(3_600, isDelay: false, count: 5), id: "hourly")),
      (2, Self.notify(2, .after(5_400), id: "single")), (3, .end(.now, isPowerLoss: false, off: 12_600_000)),
      (4, .restartServer(15_000_000)), (13_000, .end(.now, isPowerLoss: false, off: 1_000)),
    ])
    #expect(Array(shown.prefix(2)) == ["single of step 2", "hourly of step 1"])
  }
}

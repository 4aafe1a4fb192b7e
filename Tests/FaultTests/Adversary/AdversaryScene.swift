// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import TestSupport

/// The whole test: honest callers alone, then twice under attack, each followed by a measurement of the idle center.
struct AdversaryScene: Sendable {
  let stand: FaultStand
  let center: RunningProgram
  let callers: HonestCallers
  let user: HonestUser
  let recorder: Recorder
  let adversary: Adversary
  /// Sends loads to an idle peer, which is compared with the center.
  let bystander: Attacker

  /// How long the center may take for the remaining work after all attackers have left.
  private static let limit: Duration = .seconds(Rounds.isLong ? 60 : 20)

  /// The measurements of these phases.
  struct Measured {
    /// The center's memory and descriptors in each idle phase.
    var sizes: [CenterSize] = []
    /// The times at which the bus was slow, and those at which the disk was.
    var lateBus: [LateTime] = []
    var lateDisk: [LateTime] = []
    /// The longest time that an idle peer takes to answer while it is sent a load, without the bus: before the attacks,
    /// and during them, if that was measured.
    var floor: [Attacker.Load: (before: Duration, during: Duration?)] = [:]
  }

  func play(seconds: Int) async throws -> Measured {
    try await withLoop { busLoop in
      try await withLoop { callerLoop in
        let bus = try await BusWaits(on: stand.bus, busLoop)
        let asking = Task { await bus.run() }
        let disk = try DiskWaits(in: stand.store, busLoop)
        let writing = Task { try await disk.run() }
        let watching = Task { try? await user.watch(seed: adversary.seed) }
        let measuring = Task { try? await user.measure(on: stand.bus, callerLoop) }
        defer {
          watching.cancel()
          measuring.cancel()
        }
        let floor = try await LibraryFloor(on: stand.bus, callerLoop, sender: bystander)
        let before = try await floor.measure()
        var during: [Attacker.Load: [LibraryFloor.Ping]] = [:]
        var measured = Measured()
        // A sleep is meant: how long honest callers work alone, which is measured. The center is a process with real
        // clocks.
        try await act(callerLoop) { try await callerLoop.sleep(for: .seconds(1)) }
        await rest(&measured.sizes)
        for _ in 0..<2 {
          try await act(callerLoop) {
            let attack = { try await adversary.attack(until: .now + .seconds(seconds) / 2) }
            // A short round has no time for it.
            guard Rounds.isLong else { return try await attack() }
            during.merge(try await floor.measure(during: attack)) { $0 + $1 }
          }
          await rest(&measured.sizes)
        }
        await floor.close()
        bus.end()
        await asking.value
        disk.end()
        try await writing.value
        (measured.lateBus, measured.lateDisk) = (bus.times, disk.times)
        for (load, pings) in before {
          measured.floor[load] = (
            pings.longest(without: measured.lateBus), during[load]?.longest(without: measured.lateBus)
          )
        }
        return measured
      }
    }
  }

  /// Runs honest callers while `body` runs.
  private func act(_ loop: EventLoop, _ body: () async throws -> Void) async throws {
    let workers = (0..<3).map { index in
      Task { try await callers.work(seed: adversary.seed &+ UInt64(index) &* 7919, on: loop) }
    }
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    callers.pause()
    for worker in workers { try await worker.value }
    try outcome.get()
  }

  /// Waits until every honest request has been shown and every click is done; then measures the center.
  private func rest(_ sizes: inout [CenterSize]) async {
    guard (try? await finish()) != nil, let size = try? CenterSize(of: center, store: stand.store) else { return }
    sizes.append(size)
  }

  private func finish() async throws {
    let end = ContinuousClock.now + Self.limit
    try await stand.watch()
    try await finish(before: end)
    try await stand.call("Watch", [false])
  }

  private func finish(before end: ContinuousClock.Instant) async throws {
    while true {
      let rows = try await honestRows()
      let known = Self.ended(rows)
      if recorder.missing.subtracting(known).isEmpty, KillTests.outcomes(rows) != nil { return }
      guard ContinuousClock.now < end else { throw TestFailure("not all has come to its end") }
      _ = try? await stand.events.next(within: .seconds(2))
    }
  }

  private func honestRows() async throws -> [[String: Value]] {
    var rows: [[String: Value]] = []
    for app in HonestCallers.apps { rows += try await stand.list("History", app: app) }
    return rows
  }

  /// The requests that ended without having been shown, as the center reports.
  private static func ended(_ rows: [[String: Value]]) -> Set<String> {
    Set(
      rows.filter { ["folded", "expired", "skipped", "failed"].contains($0["state"]?.string ?? "") }
        .compactMap { $0["id"]?.string })
  }

  // MARK: Judging

  /// The results of every honest request and click, and of the attackers' checks.
  func judge(_ verdict: inout AdversaryVerdict, name: BusName) async throws {
    let found = adversary.findings
    let owner = try? await stand.client.owner(of: FaultStand.name)
    let isSame = center.isRunning && owner == name
    verdict.expectNone("ends of the center, or of its connection", isSame ? [] : ["\(center.errors.suffix(400))"])

    let rows = isSame ? (try? await honestRows()) ?? [] : []
    let folded = Self.ended(rows)
    for id in stand.acted { recorder.add(.acted(id)) }
    let history = History(events: recorder.events, outcomes: KillTests.outcomes(rows) ?? [:])
    let judged = history.verdict()
    verdict.expect("honest requests accepted", judged.accepted, atMost: "-", judged.accepted > 0)
    verdict.expect(
      "  of which \(folded.count) came in a digest or not at all, by the history", folded.count, atMost: "-", true)
    verdict.expectNone("honest requests lost", judged.lost.subtracting(folded))
    verdict.expectNone(
      "honest requests shown twice, early, or after they were taken back",
      judged.doubled.union(judged.undead).union(judged.early))

    if !judged.isClean { verdict.explain(history.story(of: judged)) }

    let acted = Set(stand.acted)
    verdict.expect("clicks", user.clicked.count, atMost: "-", !user.clicked.isEmpty)
    verdict.expectNone("clicks whose action did not run", user.clicked.subtracting(acted))
    verdict.expectNone("actions that ran twice", judged.actedTwice)
    verdict.expectNone("actions that ran without a click", acted.subtracting(user.clicked))

    let titles = user.titles
    verdict.expectNone("secrets in answers to a box", found.leaks)
    verdict.expectNone(
      "attackers' requests shown after they were taken back",
      titles.keys.compactMap { found.unwanted[$0] })
    verdict.expectNone("attackers' requests accepted and not shown", found.wanted.subtracting(titles.keys))
    verdict.expectNone(
      "attackers' requests shown over what replaced them",
      found.replaced.filter { titles[$0.key, default: 0] > titles[$0.value, default: 0] }.keys)
    verdict.expectNone("other findings of the attackers", found.faults)
  }
}

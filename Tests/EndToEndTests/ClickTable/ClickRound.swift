// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import TestSupport
import Testing

/// One row of the table: all choices in one session, with the same lock and at the same moment.
final class ClickRound {
  private let combinations: [Combination]
  private let isLocked: Bool
  private let moment: Combination.Moment
  private let loop: EventLoop
  private let session: ClickSession
  private let sights: Inbox<Sight>
  private let center: CenterPeer
  private let app: Handler
  private let latecomer: Handler
  private let lock: ScreenLock
  private var server: ScriptedServer
  private var seen = Sightings()
  private var problems: [String] = []

  private var bus: PrivateBus { session.session.bus }

  private init(isLocked: Bool, _ moment: Combination.Moment, on loop: EventLoop) async throws {
    combinations = Combination.row(isLocked: isLocked, moment)
    self.isLocked = isLocked
    self.moment = moment
    self.loop = loop
    session = try ClickSession(for: combinations)
    sights = Inbox<Sight>()
    let bus = session.session.bus
    center = try await CenterPeer(of: session, loop, telling: sights)
    app = try await Handler(on: bus, loop, telling: sights)
    latecomer = try await Handler(on: bus, loop, telling: sights)
    lock = try await ScreenLock.start(on: bus, loop, isLocked: isLocked)
    server = try await Self.server(on: bus, loop, sights)
  }

  private static func server(
    on bus: PrivateBus, _ loop: EventLoop, _ sights: Inbox<Sight>
  ) async throws -> ScriptedServer {
    try await ScriptedServer.start(on: bus, loop) { posted in
      sights.put(.posted(posted))
      return .number
    }
  }

  /// The problems that were found.
  static func walk(isLocked: Bool, _ moment: Combination.Moment) async throws -> [String] {
    try await withLoop { loop in
      let round = try await ClickRound(isLocked: isLocked, moment, on: loop)
      let outcome: Result<[String], any Error>
      do { outcome = .success(try await round.walk()) } catch { outcome = .failure(error) }
      await round.end()
      return try outcome.get()
    }
  }

  private func walk() async throws -> [String] {
    var program = try await startCenter()
    try await show()
    switch moment {
    case .inTime, .beforeCenter, .beforeCenterUnlocked: break
    case .afterClose: try await close()
    case .afterCenter, .afterCloseAndCenter:
      if moment == .afterCloseAndCenter { try await close() }
      try await center.kill(program)
      program = try await startCenter()
      if moment == .afterCenter { try await awaitAgain() }
    case .afterServer: try await restartServer()
    }
    // Actions that come again by themselves are chosen last, so that the center ends before they do.
    for isLast in [false, true] {
      let chosen = combinations.filter { ($0.kind == .snooze) == isLast }
      try await choose(chosen)
      try await wait("its first stage", of: chosen) { !$1.outcomes.isEmpty }
    }
    findHasty()
    if moment.isBeforeCenter {
      try await center.kill(program)
      if moment == .beforeCenterUnlocked { await lock.hold() }
      program = try await startCenter()
      findHasty()
    }
    try await lock.unlock()
    try await confirm()
    try await wait("all that comes before the app", of: combinations) { $1.stages.starts(with: $0.waits) }
    let late = combinations.filter { $0.app == .launchable || $0.app == .absent }.map(\.appID)
    for app in Set(late).sorted() { try await latecomer.attach(to: app) }
    try await wait("an end", of: combinations) { $1.outcomes.last?.hasPrefix("waiting") == false }
    try await wait("its return", of: combinations) { $0.effect != .shown || !$1.effects.isEmpty }
    try await chooseAgain()
    try await judge()
    center.end(program)
    return problems
  }

  /// Closes all connections.
  private func end() async {
    await server.die()
    await lock.close()
    for handler in [app, latecomer] { await handler.close() }
    await center.close()
  }

  // MARK: Waiting

  /// Collects events until the condition holds for every row that is not void.
  private func wait(
    _ what: String, of combinations: [Combination], until isTrue: (Expectation, Sightings.Life) -> Bool
  ) async throws {
    let expected = combinations.map { ($0.id, Expectation($0)) }.filter { $0.1.effect != nil }
    try await wait(what) { expected.filter { !isTrue($0.1, seen[$0.0]) }.map(\.0) }
  }

  private func wait(_ what: String, missing: () -> [String]) async throws {
    while case let missing = missing(), !missing.isEmpty {
      do {
        try await take(try await sights.next(within: .seconds(20)))
      } catch {
        let stories = missing.prefix(5).map { "\($0): \(seen[$0].outcomes) \(seen[$0].closings)" }
        throw TestFailure("\(row): \(missing.count) lack \(what): \(stories.joined(separator: ", "))")
      }
    }
  }

  private var row: String { "\(isLocked ? "locked" : "unlocked"), \(moment)" }

  private func take(_ sight: Sight) async throws {
    seen.see(sight)
    guard case .told(let number, let id, _, _, let handler) = sight else { return }
    do { try await handler.complete(number) } catch { problems.append("\(row), \(id): \(error)") }
  }

  // MARK: The screen

  private func startCenter() async throws -> RunningProgram {
    let program = try await center.start()
    try await app.attach(to: "org.example.Attached")
    return program
  }

  private func show() async throws {
    for (app, combinations) in Dictionary(grouping: combinations, by: \.appID) {
      let categories = combinations.map { $0.category(record: session.record) }
      try await center.call("SetCategories", [.string(app), .array(of: .properties, categories)])
    }
    // Others come first, so that the next server, which counts from 1, gives none of these numbers.
    let others = (1...16).map { Value.properties(["id": .string("other-\($0)"), "title": .string("other-\($0)")]) }
    try await center.call("NotifyMany", [.array(of: .properties, others + combinations.map(\.request))])
    try await wait("its delivery") { combinations.map(\.id).filter { !seen[$0].isDelivered } }
    for combination in combinations where seen[combination.id].keys != combination.keys {
      problems.append("\(row), \(combination.id): it was offered \(seen[combination.id].keys)")
    }
  }

  private func close() async throws {
    for combination in combinations { try await server.tellClosed(number(of: combination), reason: 1) }
    try await wait("its end on the screen") { combinations.map(\.id).filter { seen[$0].closings != ["expired"] } }
  }

  /// Alerts are shown a second time; banners are not.
  private func awaitAgain() async throws {
    try await wait("its return") {
      combinations.filter { $0.context == .full && seen[$0.id].posts + seen[$0.id].returns < 2 }.map(\.id)
    }
  }

  private func restartServer() async throws {
    await server.die()
    try await wait("its end on the screen") {
      combinations.filter { $0.context == .minimal && seen[$0.id].closings != ["vanished"] }.map(\.id)
    }
    // The new server counts from 1.
    server = try await Self.server(on: bus, loop, sights)
    try await awaitAgain()
  }

  private func number(of combination: Combination) -> UInt32 { seen[combination.id].number ?? 0 }

  // MARK: Clicks

  private func choose(_ combinations: [Combination]) async throws {
    for combination in combinations {
      let expectation = Expectation(combination)
      guard expectation.effect != nil else { continue }
      seen.choose(combination.id)
      if expectation.effect == .launched { seen.expectLaunch(for: combination.id) }
      try await press(combination, number(of: combination))
    }
  }

  private func press(_ combination: Combination, _ number: UInt32) async throws {
    // This includes clicks in a server's history, after the notification has expired.
    if combination.kind == .putAway { return try await server.tellClosed(number, reason: 2) }
    try await server.emit(ScriptedServer.activationToken(number, combination.token))
    try await server.press(number, combination.actionID)
  }

  /// An action that waits for the unlock has had no effect yet.
  private func findHasty() {
    let done = Set(session.effects.map(\.id))
    for combination in combinations where Expectation(combination).waits.first == "waiting: locked" {
      let id = combination.id
      if done.contains(id) || !seen[id].effects.isEmpty || !seen[id].questions.isEmpty {
        problems.append("\(row), \(id): something was done before the unlock")
      }
    }
  }

  /// Accepts every question of the center.
  private func confirm() async throws {
    let asking = combinations.filter { Expectation($0).isAsked }.map(\.id)
    try await wait("its question") { asking.filter { seen[$0].questions.isEmpty } }
    for id in asking {
      if session.effects.contains(where: { $0.id == id }) { problems.append("\(row), \(id): done before it was asked") }
      try await server.press(seen[id].questions[0], "0")
    }
  }

  /// Clicks on used-up notifications, and on numbers of another server, have no effect. A last click, which counts,
  /// proves that the center has handled all of them.
  private func chooseAgain() async throws {
    for combination in combinations {
      let number = seen[combination.id].chosen ?? number(of: combination)
      try await press(combination, number)
      try await server.press(number, "default")
    }
    let button: Value = .properties(["id": "go", "title": "End", "run": .strings([session.record, "run", "{id}"])])
    let end: Value = .properties(["id": "end", "title": "end", "actions": .array(of: .properties, [button])])
    try await center.call("Notify", [end])
    try await wait("its delivery") { seen["end"].isDelivered ? [] : ["end"] }
    try await server.press(seen["end"].number ?? 0, "go")
    try await wait("an end") { seen["end"].outcomes.last == "done" ? [] : ["end"] }
  }

  // MARK: The verdict

  private func judge() async throws {
    let asked = session.effects.filter { $0.verb == "asked" }
    let effects = Dictionary(grouping: session.effects.filter { $0.verb != "asked" }, by: \.id)
    let history = try await center.history()
    for combination in combinations {
      let verdict = Verdict(
        combination, seen[combination.id], effects[combination.id] ?? [], history[combination.id] ?? [])
      problems += verdict.problems.map { "\(row), \(combination.id): \($0)" }
    }
    // An input dialog does not show which notification of its app it belongs to.
    let dialogs = Dictionary(grouping: combinations.filter { $0.reply != nil }, by: \.appName)
    for (name, combinations) in dialogs {
      let count = asked.filter { $0.id == name }.count
      let expected = combinations.filter { Expectation($0).effect != nil }.count
      if count != expected { problems.append("\(row), \(name): asked for a text: \(count), not \(expected)") }
    }
    for id in Set(effects.keys).subtracting(combinations.map(\.id)) where id != "end" {
      problems.append("\(row): an action without a click was carried out: '\(id)'")
    }
  }
}

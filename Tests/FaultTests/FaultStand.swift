// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import Synchronization
import TestSupport
import Testing

/// A bus, a home and a client that stay while centers start and end.
final class FaultStand: Sendable {
  let loop: EventLoop
  let bus: PrivateBus
  let client: Connection
  /// The owners of the center's name, one for each change.
  let owners = Inbox<BusName?>()
  /// The center's events since the first watcher: `Delivered a`, `Responded a go`, `Outcome done`.
  let events = Inbox<String>()

  static let name: BusName = "dev.suzu.Center"
  static let path: ObjectPath = "/dev/suzu/Center"
  static let interface: InterfaceName = "dev.suzu.Center1"

  /// The folder of the programs, beside the tests.
  static let programs: String = {
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") }.map { URL(filePath: $0).path }
    return bundle.map { $0.components(separatedBy: "/").prefix { !$0.hasSuffix(".xctest") }.joined(separator: "/") }
      ?? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../.build/debug").path
  }()

  private init(loop: EventLoop, bus: PrivateBus, client: Connection) {
    self.loop = loop
    self.bus = bus
    self.client = client
  }

  /// Runs a test's body on its own thread, because it blocks, and other tests need the pool's few threads.
  static func run(_ body: @Sendable (FaultStand) async throws -> Void) async throws {
    try await run(on: try PrivateBus(), body)
  }

  /// The same on an existing bus.
  static func run(on bus: PrivateBus, _ body: @Sendable (FaultStand) async throws -> Void) async throws {
    try await withBus(bus) { loop, bus in
      var options = Connection.Options()
      options.reconnects = true
      let client = try await bus.connect(on: loop, options)
      let stand = FaultStand(loop: loop, bus: bus, client: client)
      try await stand.listen()
      let outcome: Result<Void, any Error>
      do {
        outcome = .success(
          try await withLoop { own in try await withTaskExecutorPreference(own) { try await body(stand) } })
      } catch {
        outcome = .failure(error)
      }
      await client.close()
      try outcome.get()
    }
  }

  private func listen() async throws {
    let changes = try await client.owners(of: Self.name)
    let signals = try await client.signals(
      matching: MatchRule(sender: Self.name, interface: Self.interface), buffering: 1_000_000)
    // They end with the connection.
    _ = Task { [owners] in for await owner in changes { owners.put(owner) } }
    _ = Task { [events] in for try await signal in signals { events.put(Self.line(signal)) } }
  }

  private static func line(_ signal: Signal) -> String {
    let texts = signal.arguments.compactMap(\.string)
    // All requests here have the same app, and an outcome has none.
    let rest = signal.member == "Outcome" ? texts : Array(texts.dropFirst())
    return ([signal.member.text] + rest).joined(separator: " ")
  }

  // MARK: The center

  /// The folder of the center's store.
  var store: String { bus.folder.path("home/.local/share/suzu") }

  /// Starts a center in this home, with another command before it if given.
  func start(
    _ arguments: [String] = ["--burst", "0"], _ variables: [String: String] = [:], by launcher: [String] = []
  ) throws -> RunningProgram {
    let words = (launcher.isEmpty ? [Self.programs + "/suzud"] : launcher) + arguments
    return try RunningProgram(
      words[0], Array(words.dropFirst()),
      environment: bus.environment.merging(["TZ": "UTC"]) { $1 }.merging(variables) { $1 })
  }

  /// Starts a center, and returns it with its unique name once it owns its bus name.
  func startReady(
    _ arguments: [String] = ["--burst", "0"], _ variables: [String: String] = [:], by launcher: [String] = []
  ) async throws -> (program: RunningProgram, name: BusName) {
    let center = try start(arguments, variables, by: launcher)
    do {
      // A killed center may have owned the name for a moment.
      while let name = try await owners.next(within: .seconds(30), "center", where: { $0 != nil }) {
        if await isProcess(name, center) { return (center, name) }
      }
      throw TestFailure("the center's name has no owner")
    } catch {
      throw TestFailure("\(error); the center says: \(center.errors)")
    }
  }

  private func isProcess(_ name: BusName, _ center: RunningProgram) async -> Bool {
    let reply = try? await client.call(.toBus("GetConnectionUnixProcessID", [.string(name.text)]))
    return reply?.first?.uint32 == UInt32(center.processID)
  }

  /// Kills it, as a crash would; returns when the bus has noticed.
  func kill(_ center: RunningProgram) async throws {
    center.kill()
    _ = try await owners.next(within: .seconds(10), "end of the center") { $0 == nil }
  }

  /// Asks it to end.
  func end(_ center: RunningProgram) async throws {
    center.signal(SIGTERM)
    #expect(center.waitForExit() == 0, "\(center.errors)")
    _ = try await owners.next(within: .seconds(10), "end of the center") { $0 == nil }
  }

  /// Returns when the center has queried the notification server's capabilities.
  func awaitServer() async throws {
    let changes = try await client.signals(
      matching: MatchRule(
        sender: Self.name, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged"))
    var news = changes.makeAsyncIterator()
    while try await property("Server") == .string(""), try await news.next() != nil {}
  }

  func property(_ name: String) async throws -> Value? {
    let reply = try await client.call(
      MethodCall(
        to: Self.name, Self.path, "org.freedesktop.DBus.Properties", "Get",
        [.string(Self.interface.text), .string(name)]))
    if case .variant(let value) = reply.first { return value }
    return nil
  }

  // MARK: Calls

  @discardableResult
  func call(_ member: MemberName, _ arguments: [Value], of center: BusName = name) async throws -> [Value] {
    try await client.call(MethodCall(to: center, Self.path, Self.interface, member, arguments))
  }

  /// A request of the test's app, with its id as title.
  static func request(_ id: String, _ more: [String: Value] = [:]) -> Value {
    .properties(["app": "test", "id": .string(id), "title": .string(id)].merging(more) { $1 })
  }

  func notify(_ id: String, _ more: [String: Value] = [:]) async throws {
    try await call("Notify", [Self.request(id, more)])
  }

  /// The number of cancelled requests.
  func cancel(_ ids: [String]) async throws -> UInt32 {
    try await call("Cancel", ["test", .strings(ids)]).first?.uint32 ?? 0
  }

  func watch() async throws { try await call("Watch", [true]) }

  /// Returns when the notification server has answered all earlier calls.
  func pingServer() async throws {
    try await client.call(
      MethodCall(
        to: ScriptedServer.busName, "/org/freedesktop/Notifications", "org.freedesktop.DBus.Peer", "Ping"))
  }

  /// Why a `Notify` is refused; nil if it is not.
  func refusal(_ id: String, _ more: [String: Value] = [:]) async throws -> RemoteError? {
    do {
      try await notify(id, more)
      return nil
    } catch CallError.refused(let error) {
      return error
    }
  }

  /// A whole listing, page by page.
  func list(_ member: MemberName, app: String = "") async throws -> [[String: Value]] {
    var rows: [[String: Value]] = []
    var cursor = ""
    repeat {
      let page = try await call(member, [.string(app), .properties(["after": .string(cursor)])])
      rows += page.first?.elements?.compactMap(\.properties) ?? []
      cursor = page.last?.string ?? ""
    } while !cursor.isEmpty
    return rows
  }

  // MARK: Handlers

  /// A button that adds the id to the file ``acted``.
  func button() -> Value {
    let words = ["/bin/sh", "-c", "echo \"$SUZU_ID\" >>\"$1\"", "sh", bus.folder.path("acted")]
    return .array(of: .properties, [.properties(["id": "go", "title": "Go", "run": .strings(words)])])
  }

  /// The ids whose handlers have run.
  var acted: [String] { (bus.folder.read("acted") ?? "").split(separator: "\n").map(String.init) }
}

/// Milliseconds since 1970.
func wallMilliseconds() -> Int64 {
  let (seconds, attoseconds) = EventLoop.Clock.wall.now.components
  return seconds * 1000 + attoseconds / 1_000_000_000_000_000
}

/// The length of the rounds: `SUZU_LONG_TESTS` selects long ones, `SUZU_ROUNDS` repeats them.
enum Rounds {
  static let isLong = ProcessInfo.processInfo.environment["SUZU_LONG_TESTS"] != nil
  static let factor = ProcessInfo.processInfo.environment["SUZU_ROUNDS"].flatMap { Int($0) } ?? 1

  static func count(short: Int, long: Int) -> Int { (isLong ? long : short) * factor }
}

extension [Duration] {
  /// The percentile of the values, as a text.
  func percentile(_ part: Double) -> String {
    guard !isEmpty else { return "-" }
    let value = sorted()[Swift.min(count - 1, Int(Double(count) * part))]
    let (seconds, attoseconds) = value.components
    let milliseconds = Double(seconds) * 1000 + Double(attoseconds) / 1e15
    return "\(Double(Int(milliseconds * 10)) / 10) ms"
  }
}

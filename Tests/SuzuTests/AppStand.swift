// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Glibc
import Suzu
import TestSupport
import Testing

@testable import CenterClient

/// A session with the real center, a scripted notification server, and a program that uses the library.
final class AppStand: Sendable {
  let session: Session
  let loop: EventLoop
  let server: ScriptedServer
  let center: Center
  let app: NotifyingApp
  /// The center's events.
  let events = Inbox<CenterEvent>()
  /// The owners of the center's name, one for each change.
  let owners = Inbox<BusName?>()

  /// Runs a test's body.
  static func run(
    services: [String: String] = [:], variables: [String: String] = [:], in folder: TemporaryFolder? = nil,
    _ body: @Sendable (AppStand) async throws -> Void
  ) async throws {
    let folder = try folder ?? TemporaryFolder()
    let session = try Session(
      services: services,
      // The machine's logind must not decide whether this session is locked.
      variables: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + folder.path("none")].merging(variables) { $1 }, in: folder)
    try await withLoop { loop in
      let stand = AppStand(
        session, loop, try await ScriptedServer.start(on: session.bus, loop),
        try await Center.connect(toBus: session.bus.address))
      try await stand.watch()
      let probe = try await session.bus.connect(on: loop)
      let changes = try await probe.owners(of: "dev.suzu.Center")
      // It ends with the connection.
      _ = Task { for await owner in changes { stand.owners.put(owner) } }
      let outcome: Result<Void, any Error>
      do { outcome = .success(try await body(stand)) } catch { outcome = .failure(error) }
      await stand.center.close()
      await stand.server.die()
      await probe.close()
      try outcome.get()
    }
  }

  private init(_ session: Session, _ loop: EventLoop, _ server: ScriptedServer, _ center: Center) {
    self.session = session
    self.loop = loop
    self.server = server
    self.center = center
    app = center.app("org.example.Tea")
  }

  /// Ends the center with a signal, and returns when the bus has noticed.
  func endCenter(_ signal: Int32 = SIGKILL) async throws {
    kill(try #require(try session.process(of: "dev.suzu.Center")), signal)
    _ = try await owners.next { $0 == nil }
    // The client's own connection must have heard it, too: events that it asks for before that would end with the
    // center that has ended. The bus sends it before this answer.
    _ = try await center.connection.use { connection throws(CallError) in
      try await connection.owner(of: "dev.suzu.Center")
    }
  }

  /// Puts the center's events into the inbox until this center ends.
  func watch() async throws {
    let news = try await center.events()
    _ = Task { [events] in for await event in news { events.put(event) } }
  }

  /// Shows a notification with the buttons `more` and `fail`, and returns its number on the server.
  @discardableResult
  func show(_ id: RequestID = "tea", _ fill: (inout NotificationRequest.Content) -> Void = { _ in }) async throws
    -> UInt32
  {
    try await app.notify("Tea", id: id, actions: Self.buttons, fill)
    let number = try await server.posted.next().number
    // Signals that come before the center has stored the number would be as good, but the tests say when they click.
    _ = try await events.next { if case .delivered(_, let shown, _, _, _) = $0 { shown == id.text } else { false } }
    return number
  }

  static let buttons = [
    Action(id: "more", title: "More"), Action(id: "fail", title: "Fail"),
    Action(id: "answer", title: "Answer", input: Action.Input()),
  ]

  /// Waits for the outcome of the next response.
  func outcome() async throws -> Outcome {
    while true {
      if case .outcome(_, let outcome) = try await events.next(within: .seconds(40)) { return outcome }
    }
  }

  /// The latest row of the history.
  func last() async throws -> ListedRequest? {
    for try await row in app.pastRequests() { return row }
    return nil
  }
}

// SPDX-License-Identifier: Apache-2.0
import CenterClient
import DBus
import Foundation
import NotificationModel
import TestSupport

/// A process whose session is one of the tests: `UNUserNotificationCenter.current()` finds its bus in the environment.
/// For exit tests.
final class Manner: Sendable {
  static let app = "org.example.Manner"

  let session: Session
  let server: ScriptedServer
  let observer: Center
  private let events = Inbox<CenterEvent>()
  private let said = Inbox<String>()

  static func run(_ body: @Sendable (Manner) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let session = try Session(
      variables: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + folder.path("none")], in: folder)
    for (name, value) in session.environment { setenv(name, value, 1) }
    setenv("SUZU_APP_ID", app, 1)
    try await withLoop { loop in
      let manner = Manner(
        session, try await ScriptedServer.start(on: session.bus, loop), try await Center.connect())
      let news = try await manner.observer.events()
      let reading = Task { for await event in news { manner.events.put(event) } }
      let outcome: Result<Void, any Error>
      do { outcome = .success(try await body(manner)) } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        outcome = .failure(error)
      }
      await manner.observer.close()
      await reading.value
      await manner.server.die()
      try outcome.get()
    }
  }

  private init(_ session: Session, _ server: ScriptedServer, _ observer: Center) {
    self.session = session
    self.server = server
    self.observer = observer
    _ = NotificationCenter.default.addObserver(forName: Notification.Name("manner"), object: nil, queue: nil) {
      [said] notification in
      if let text = notification.object as? String { said.put(text) }
    }
  }

  /// The next notification on the screen, once the center knows its number.
  func shown() async throws -> ScriptedServer.Posted {
    let posted = try await server.posted.next(within: .seconds(20))
    _ = try await events.next(within: .seconds(20)) { if case .delivered = $0 { true } else { false } }
    return posted
  }

  /// Shows a notification of the app, and clicks on it.
  func click() async throws {
    try await observer.notify(NotificationRequest(app: AppID(Self.app), title: "Click"))
    try await server.press(shown().number, "default")
  }

  /// What the app says next.
  func heard() async throws -> String { try await said.next(within: .seconds(20)) }

  /// Waits for what the app says next, and for the end of the response that it was about.
  func says(_ text: String) async throws {
    let heard = try await heard()
    try check(heard == text, heard)
    try await finishes()
  }

  /// Waits for the end of a response.
  func finishes() async throws {
    _ = try await events.next(within: .seconds(20)) { if case .outcome(_, .done) = $0 { true } else { false } }
  }
}

extension ScriptedServer.Posted {
  /// The key of the button with a label.
  func key(_ label: String) -> String {
    for index in stride(from: 1, to: actions.count, by: 2) where actions[index].hasSuffix(label) {
      return actions[index - 1]
    }
    return "no button '\(label)' in \(actions)"
  }
}

/// An expectation in a process that an exit test has started.
func check(_ isRight: Bool, _ seen: Any) throws {
  if !isRight { throw TestFailure("\(seen)") }
}

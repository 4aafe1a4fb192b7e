// SPDX-License-Identifier: Apache-2.0
import CenterClient
import DBus
import EventLoop
import NotificationModel
import RunningApp
import TestSupport

@testable import UserNotifications

/// A session with the real center, a scripted notification server, and a program that uses Apple's names.
final class CenterStand: Sendable {
  static let app = "org.example.Tea"

  let session: Session
  let server: ScriptedServer
  let running: RunningApp
  let center: UNUserNotificationCenter
  /// Calls the center beside the program.
  let observer: Center
  /// The center's events.
  let events = Inbox<CenterEvent>()

  /// Runs a test's body.
  static func run(
    hasCenter: Bool = true, services: [String: String] = [:], variables: [String: String] = [:],
    in folder: TemporaryFolder? = nil, _ body: @Sendable (CenterStand) async throws -> Void
  ) async throws {
    let folder = try folder ?? TemporaryFolder()
    // The machine's logind must not decide whether this session is locked.
    let session = try Session(
      hasCenter: hasCenter, services: services,
      variables: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + folder.path("none")].merging(variables) { $1 }, in: folder)
    try await withLoop { loop in
      let stand = CenterStand(
        session, try await ScriptedServer.start(on: session.bus, loop),
        try await Center.connect(toBus: session.bus.address))
      if hasCenter { try await stand.watch() }
      let outcome: Result<Void, any Error>
      do { outcome = .success(try await body(stand)) } catch { outcome = .failure(error) }
      await stand.running.close()
      await stand.observer.close()
      await stand.server.die()
      try outcome.get()
    }
  }

  private init(_ session: Session, _ server: ScriptedServer, _ observer: Center) {
    self.session = session
    self.server = server
    self.observer = observer
    running = Self.program(session)
    center = UNUserNotificationCenter(running)
  }

  /// Another process of the app.
  static func program(_ session: Session) -> RunningApp {
    let identity = AppIdentity()
    identity.choose(Self.app)
    return RunningApp(identity, bus: session.bus.address)
  }

  /// Puts the center's events into the inbox until this center ends.
  func watch() async throws {
    let news = try await observer.events()
    _ = Task { [events] in for await event in news { events.put(event) } }
  }

  /// Adds a request to be shown now, and returns its number on the server once the center knows it.
  @discardableResult
  func show(
    _ id: String = "tea", _ fill: (UNMutableNotificationContent) -> Void = { _ in }
  ) async throws -> ScriptedServer.Posted {
    let content = UNMutableNotificationContent()
    content.title = "Tea"
    fill(content)
    try await center.add(UNNotificationRequest(identifier: id, content: content, trigger: nil))
    return try await shown(id)
  }

  /// The next notification on the screen, once the center knows its number.
  ///
  /// - Parameter id: the id of its request; nil for one that the app has made up.
  func shown(_ id: String?) async throws -> ScriptedServer.Posted {
    let posted = try await server.posted.next()
    _ = try await events.next {
      if case .delivered(_, let shown, _, _, _) = $0 { id == nil || shown == id } else { false }
    }
    return posted
  }

  /// Waits for the outcome of the next response.
  func outcome() async throws -> Outcome {
    while true {
      if case .outcome(_, let outcome) = try await events.next(within: .seconds(40)) { return outcome }
    }
  }
}

/// A delegate with async methods that notes what it gets.
final class NotingDelegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
  let responses = Inbox<UNNotificationResponse>()
  let presented = Inbox<UNNotification>()
  let options: UNNotificationPresentationOptions

  init(options: UNNotificationPresentationOptions = .banner) { self.options = options }

  func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async {
    responses.put(response)
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    presented.put(notification)
    return options
  }
}

/// A delegate with completion handlers. `.never` releases the handler, `.twice` calls it twice.
final class HandlerDelegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
  enum Manner {
    case once, twice, never, later
  }

  let responses = Inbox<UNNotificationResponse>()
  let manner: Manner

  init(_ manner: Manner = .once) { self.manner = manner }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    // The queue of the main thread: a test process has given the thread itself away.
    dispatchPrecondition(condition: .onQueue(.main))
    MainActor.assumeIsolated { responses.put(response) }
    switch manner {
    case .once: completionHandler()
    case .twice:
      completionHandler()
      completionHandler()
    case .never: break
    case .later:
      let handler = UncheckedHandler(call: completionHandler)
      DispatchQueue.global().async { handler.call() }
    }
  }
}

private struct UncheckedHandler: @unchecked Sendable {
  let call: () -> Void
}

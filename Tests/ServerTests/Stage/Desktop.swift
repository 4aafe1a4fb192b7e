// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A screen in memory with a session, a notification server, our center, and `suzu watch`.
final class Desktop {
  let server: any Server
  let screen: any Screen
  private(set) var session: Session
  /// Started on first use.
  private(set) lazy var accessibility = Result { try Accessibility(session) }
  /// The title posted last.
  private(set) var lastTitle = ""
  private var program: RunningProgram?
  private var watch: RunningProgram
  private var unclaimed: [Event] = []

  init(_ server: any Server) throws {
    self.server = server
    let folder = try TemporaryFolder()
    for name in ["run", "home"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    screen = try server.makeScreen(in: folder)
    session = try Self.makeSession(server, screen, in: folder)
    watch = try session.start("watch", "--json")
    try register()
    try startServer()
  }

  private static func makeSession(
    _ server: any Server, _ screen: any Screen, in folder: TemporaryFolder
  ) throws -> Session {
    // GTK asks this service for the accessibility bus, and the bus knows only the given services.
    let services = try (["org.a11y.Bus"] + server.services).compactMap { name in
      try command(of: name).map { (name, $0) }
    }
    return try Session(
      services: Dictionary(uniqueKeysWithValues: services),
      variables: screen.environment.merging(server.environment) { $1 }, in: folder)
  }

  /// The command in a service's installed file; nil if this release does not have the service.
  private static func command(of service: String) throws -> String? {
    let path = "/usr/share/dbus-1/services/\(service).service"
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let file = try String(contentsOfFile: path, encoding: .utf8)
    guard let line = file.split(separator: "\n").first(where: { $0.hasPrefix("Exec=") }) else {
      throw TestFailure("\(service) has no command")
    }
    return String(line.dropFirst("Exec=".count))
  }

  deinit {
    // Without its bus the center would wait for another one.
    if let center = try? session.process(of: "dev.suzu.Center") { kill(center, SIGTERM) }
  }

  // MARK: The server

  func startServer() throws {
    program = try server.start(on: self)
    guard try session.awaitOwner(of: "org.freedesktop.Notifications") else {
      throw TestFailure("\(server.name): \(program?.errors ?? "")")
    }
  }

  func killServer() {
    program?.kill()
    program = nil
  }

  /// Restarts the bus at the same address, with everything that depends on it.
  func restartBus() throws {
    session.bus.kill()
    killServer()
    session = try Self.makeSession(server, screen, in: session.folder)
    accessibility = Result { try Accessibility(session) }
    watch = try session.start("watch", "--json")
    try startServer()
  }

  /// Runs a program in the session.
  @discardableResult
  func run(_ program: String, _ words: String...) throws -> String {
    let done = try RunningProgram.run(program, words, environment: session.environment)
    try demand(done.status == 0, "\(program) \(words.joined(separator: " ")): status \(done.status), \(done.errors)")
    return done.output
  }

  // MARK: Screen

  /// Polls until `look` finds something, woken by reported changes or a short timeout.
  func wait<T>(for what: String, within seconds: Double = 20, _ look: () throws -> T?) throws -> T {
    let end = ContinuousClock.now + .seconds(seconds)
    while true {
      if let found = try look() { return found }
      if ContinuousClock.now > end {
        let there = try server.popups(on: self).map { "\($0.title) \($0.labels)" }
        throw TestFailure("no \(what) within \(seconds) s; on the screen: \(there)")
      }
      try accessibility.get().awaitChange()
    }
  }

  /// Waits for the popup with this title.
  func popup(_ title: String) throws -> Popup {
    try wait(for: "popup '\(title)'") { try server.popups(on: self).first { $0.title == title } }
  }

  /// Waits until there is no popup with this title.
  func awaitAbsence(of title: String, within seconds: Double = 20) throws {
    try wait(for: "end of '\(title)'", within: seconds) {
      try server.popups(on: self).contains { $0.title == title } ? nil : ()
    }
  }

  /// Waits until the popup with this title, among those that `look` returns, no longer moves.
  func atRest(_ title: String, in look: () throws -> [Popup]) throws -> Popup {
    var last: Box?
    return try wait(for: "'\(title)' at rest") {
      let found = try look().first { $0.title == title }
      defer { last = found?.box }
      return found?.box != nil && found?.box == last ? found : nil
    }
  }

  /// Runs `suzu notify` and waits for the popup.
  @discardableResult
  func show(_ title: String, _ flags: String...) throws -> Popup {
    try post(title, flags)
    return try popup(title)
  }

  /// Runs `suzu notify`.
  func post(_ title: String, _ flags: [String]) throws {
    lastTitle = title
    let sent = try session.suzu(["notify", title] + flags)
    try demand(sent.status == 0, "suzu notify: \(sent.errors)")
  }

  // MARK: Events

  /// The next matching event, or the first earlier one that was not claimed yet.
  func event(_ what: String, within seconds: Double = 20, where fits: (Event) -> Bool) throws -> Event {
    if let index = unclaimed.firstIndex(where: fits) { return unclaimed.remove(at: index) }
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      guard let line = watch.readLine(within: seconds) else { break }
      let event = try JSONDecoder().decode(Event.self, from: Data(line.utf8))
      if fits(event) { return event }
      unclaimed.append(event)
    }
    throw TestFailure("nothing was told of: \(what); but of \(unclaimed.map(\.words))")
  }

  /// The response to a request, after its action has run.
  func response(to id: String) throws -> Event {
    let response = try event("response to '\(id)'") { $0.event == "responded" && $0.id == id }
    let outcome = try event("outcome of '\(id)'") {
      $0.event == "outcome" && $0.response == response.response && $0.outcome?.hasPrefix("waiting") != true
    }
    try demand(outcome.outcome, is: "done", "outcome of '\(id)'")
    return response
  }

  /// Why a request was closed.
  func closing(of id: String, within seconds: Double = 20) throws -> String? {
    try event("end of '\(id)'", within: seconds) { $0.event == "closed" && $0.id == id }.reason
  }
}

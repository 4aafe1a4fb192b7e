// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A screen in memory, a session, a notification server, our center, and somebody who watches.
final class Desktop {
  let server: any Server
  let screen: any Screen
  private(set) var session: Session
  /// Started by whoever first asks.
  private(set) lazy var accessibility = Result { try Accessibility(session) }
  /// What was asked for last.
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
    // GTK asks this one for the bus of accessibility, and the bus knows only what it is told of.
    let services = try (["org.a11y.Bus"] + server.services).map { ($0, try command(of: $0)) }
    return try Session(
      services: Dictionary(uniqueKeysWithValues: services),
      variables: screen.environment.merging(server.environment) { $1 }, in: folder)
  }

  /// What a service's own file says.
  private static func command(of service: String) throws -> String {
    let file = try String(contentsOfFile: "/usr/share/dbus-1/services/\(service).service", encoding: .utf8)
    guard let line = file.split(separator: "\n").first(where: { $0.hasPrefix("Exec=") }) else {
      throw TestFailure("\(service) has no command")
    }
    return String(line.dropFirst("Exec=".count))
  }

  deinit {
    // Without its bus it would wait for another one.
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

  /// The bus ends, and with it everything that has no other; another one takes its place, at the same address.
  func restartBus() throws {
    session.bus.kill()
    killServer()
    session = try Self.makeSession(server, screen, in: session.folder)
    accessibility = Result { try Accessibility(session) }
    watch = try session.start("watch", "--json")
    try startServer()
  }

  /// Runs something in the session.
  @discardableResult
  func run(_ program: String, _ words: String...) throws -> String {
    let done = try RunningProgram.run(program, words, environment: session.environment)
    try demand(done.status == 0, "\(program) \(words.joined(separator: " ")): status \(done.status), \(done.errors)")
    return done.output
  }

  // MARK: What is on the screen

  /// Looks until something is there. Changes are waited for where they are told of, and not for long.
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

  /// The popup with this title, once it is drawn.
  func popup(_ title: String) throws -> Popup {
    try wait(for: "popup '\(title)'") { try server.popups(on: self).first { $0.title == title } }
  }

  /// Returns when there is none with this title.
  func awaitAbsence(of title: String, within seconds: Double = 20) throws {
    try wait(for: "end of '\(title)'", within: seconds) {
      try server.popups(on: self).contains { $0.title == title } ? nil : ()
    }
  }

  /// `suzu notify`; returns when it is drawn.
  @discardableResult
  func show(_ title: String, _ flags: String...) throws -> Popup {
    try post(title, flags)
    return try popup(title)
  }

  /// `suzu notify`
  func post(_ title: String, _ flags: [String]) throws {
    lastTitle = title
    let sent = try session.suzu(["notify", title] + flags)
    try demand(sent.status == 0, "suzu notify: \(sent.errors)")
  }

  // MARK: What is told

  /// The next event that fits, or the first that fitted and was not asked for yet.
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

  /// The response to a request, once what was chosen has been done.
  func response(to id: String) throws -> Event {
    let response = try event("response to '\(id)'") { $0.event == "responded" && $0.id == id }
    let outcome = try event("outcome of '\(id)'") {
      $0.event == "outcome" && $0.response == response.response && $0.outcome?.hasPrefix("waiting") != true
    }
    try demand(outcome.outcome, is: "done", "outcome of '\(id)'")
    return response
  }

  /// Why a request left the screen.
  func closing(of id: String, within seconds: Double = 20) throws -> String? {
    try event("end of '\(id)'", within: seconds) { $0.event == "closed" && $0.id == id }.reason
  }
}

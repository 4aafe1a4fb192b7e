// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A session with a notification server, and requests that wait for conditions.
struct ConditionStage {
  /// How a request is made.
  enum Way: String, CaseIterable, CustomTestStringConvertible {
    case command, bus
    var testDescription: String { rawValue }
  }

  let session: Session
  private let popups: RunningProgram

  init(_ session: Session) throws {
    self.session = session
    popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
  }

  /// A session whose bus is also the bus of its system.
  init() throws {
    let folder = try TemporaryFolder()
    try self.init(Session(variables: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + folder.path("bus")], in: folder))
  }

  /// Makes a request that comes each time.
  ///
  /// - Parameters:
  ///   - on: the condition as a line, and as a dictionary in GLib's text form.
  func arm(_ id: String, _ title: String, on condition: (line: String, dictionary: String), by way: Way) throws {
    switch way {
    case .command:
      let made = try session.suzu(
        "notify", title, "--id", id, "--on", condition.line, "--repeat", "--cooldown", "1ms")
      #expect(made.status == 0 && made.output == "\(id)\n" && made.errors == "", "\(made)")
    case .bus:
      let made = try notify(
        "{'id': <'\(id)'>, 'title': <'\(title)'>, 'on': <\(condition.dictionary)>, 'repeat': <true>, "
          + "'cooldown': <'1ms'>}")
      #expect(made.output == "('\(id)',)\n", "\(made)")
      #expect(try session.suzu("list").output.contains("when " + condition.line))
    }
  }

  /// Calls `Notify` with a dictionary in GLib's text form.
  func notify(_ request: String) throws -> (status: Int32, output: String, errors: String) {
    try session.run(
      "gdbus", "call", "--session", "-d", "dev.suzu.Center", "-o", "/dev/suzu/Center", "-m", "dev.suzu.Center1.Notify",
      request)
  }

  /// Waits until the center knows whether a condition is true.
  func await(_ id: String, _ isTrue: Bool) throws { try session.wait(for: "now:         \(isTrue)", in: "next", id) }

  /// Waits until the center listens to an event.
  func awaitWatching(_ id: String) throws { try session.wait(for: "watched", in: "next", id) }

  /// The title of the next notification; nil if there is none.
  func shown() -> String? {
    guard let line = popups.readLines(until: "#", within: 20)?.last else { return nil }
    return line.range(of: "#[0-9]+ ", options: .regularExpression).map { String(line[$0.upperBound...]) }
  }
}

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
  init(variables: [String: String] = [:]) throws {
    let folder = try TemporaryFolder()
    try self.init(
      Session(
        variables: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + folder.path("bus")].merging(variables) { $1 },
        in: folder))
  }

  /// Starts a service of python-dbusmock.
  func mock(_ template: String, _ name: String, _ parameters: String = "{}") throws -> RunningProgram {
    let mock = try RunningProgram(
      "/usr/bin/python3", ["-m", "dbusmock", "--session", "--template", template, "--parameters", parameters],
      environment: session.environment)
    #expect(try session.awaitOwner(of: name), "\(mock.errors)")
    return mock
  }

  /// Calls a method with arguments in GLib's text form.
  @discardableResult
  func call(_ name: String, _ path: String, _ method: String, _ arguments: String...) throws -> String {
    let called = try RunningProgram.run(
      "gdbus", ["call", "--session", "-d", name, "-o", path, "-m", method] + arguments,
      environment: session.environment)
    #expect(called.status == 0, "\(method): \(called.errors)")
    return called.output
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
      try call(
        "dev.suzu.Center", "/dev/suzu/Center", "dev.suzu.Center1.Notify",
        "{'id': <'\(id)'>, 'title': <'\(title)'>, 'on': <\(condition.dictionary)>, 'repeat': <true>, "
          + "'cooldown': <'1ms'>}")
      #expect(try session.suzu("list").output.contains("when " + condition.line))
    }
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

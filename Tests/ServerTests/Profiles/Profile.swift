// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A server that cannot run here, simulated from its source code by `Fingers/profile.py`. It undergoes the same checks
/// as real servers.
struct Profile: Server {
  /// The simulation's settings; nil means as in the specification.
  struct Behaviour: Encodable, Sendable {
    /// The reported name.
    var name: String
    var capabilities: [String]
    /// The maximum number of buttons drawn; nil if unlimited.
    var buttons: Int?
    /// Whether an activation token precedes a click.
    var token: Bool?
    /// The default lifetime in milliseconds: shorter than in reality.
    var usualTime = 1500
    var tellsOfExpiry: Bool?
    /// Whether it keeps expired notifications in a list.
    var keeps: Bool?
    /// Whether it accepts replacing a number that it never assigned.
    var believesNumbers: Bool?

    /// The behavior of a recorded server.
    init(_ profile: ServerProfile, keeps: Bool) {
      name = profile.name
      capabilities = profile.capabilities
      buttons = profile.buttons
      token = profile.givesTokens
      tellsOfExpiry = profile.tellsOfExpiry
      self.keeps = keeps
      believesNumbers = profile.believesNumbers
    }
  }

  let name: String
  let behaviour: Behaviour
  let expected: Expectations
  var ownChecks: [Check] = []

  /// There is no package.
  let package = ""
  let programs = ["/usr/bin/python3", "busctl", "Xvfb", "openbox"]

  func start(on desktop: Desktop) throws -> RunningProgram {
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fingers/profile.py").path
    let words = String(decoding: try JSONEncoder().encode(behaviour), as: UTF8.self)
    return try RunningProgram("/usr/bin/python3", [script, words], environment: desktop.session.environment)
  }

  // MARK: Interaction

  private struct Drawn: Decodable {
    var title: String
    var body: String
    var buttons: [String]
  }

  func popups(on desktop: Desktop) throws -> [Popup] {
    struct Answer: Decodable { var data: [String] }
    let text = try finger("Popups", [], on: desktop)
    let answer = try JSONDecoder().decode(Answer.self, from: Data(text.utf8)).data.first ?? ""
    return try JSONDecoder().decode([Drawn].self, from: Data(answer.utf8)).map { drawn in
      Popup(
        title: drawn.title, body: unescaped(drawn.body), buttons: drawn.buttons.map { Popup.Button(label: $0) })
    }
  }

  func press(_ button: Popup.Button, of popup: Popup, on desktop: Desktop) throws {
    _ = try finger("Press", [popup.title, button.label], on: desktop)
  }

  func open(_ popup: Popup, on desktop: Desktop) throws { _ = try finger("Open", [popup.title], on: desktop) }

  func dismiss(_ popup: Popup, on desktop: Desktop) throws { _ = try finger("Dismiss", [popup.title], on: desktop) }

  func openFromHistory(_ title: String, on desktop: Desktop) throws { _ = try finger("Open", [title], on: desktop) }

  /// There is nothing to photograph.
  func photograph(_ popups: [Popup], to file: String, on desktop: Desktop) throws {}

  private func finger(_ member: String, _ words: [String], on desktop: Desktop) throws -> String {
    let server = "org.freedesktop.Notifications"
    let signature = words.isEmpty ? [] : [String(repeating: "s", count: words.count)] + words
    let called = try RunningProgram.run(
      "busctl",
      [
        "--address", desktop.session.bus.address, "--json=short", "call", server,
        "/org/freedesktop/Notifications/Finger", server + ".Finger", member,
      ] + signature, environment: desktop.session.environment)
    try demand(called.status == 0, "\(member): \(called.errors)")
    return called.output
  }
}

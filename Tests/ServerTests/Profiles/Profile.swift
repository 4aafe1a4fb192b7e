// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A server that cannot run here, as its sources tell of it. It is played by a program of ours, with a finger of its own,
/// and asked all that the real ones are asked.
struct Profile: Server {
  /// What the program does. What is absent is as the specification has it.
  struct Behaviour: Encodable, Sendable {
    /// What it calls itself.
    var name: String
    var capabilities: [String]
    /// How many buttons are drawn; nil: all.
    var buttons: Int?
    /// Whether its signals go to the one who posted, and not to everybody.
    var unicast: Bool?
    /// Whether a token comes before a click.
    var token: Bool?
    /// What it says after a click.
    var reasonAfterAction: Int?
    /// How often it says that something is closed.
    var closes: Int?
    /// How long what has no time of its own stays, in milliseconds: shorter than in real life.
    var usualTime = 1500
    /// The shortest and longest time that it grants, also to what shall stay.
    var clamp: [Int]?
    /// Whether it takes no notice of the time that it is given.
    var ignoresTime: Bool?
    var criticalStays: Bool?
    var tellsOfExpiry: Bool?
    /// Whether what has left the screen is in a list.
    var keeps: Bool?
    /// How many of an app may be open, before the oldest is closed.
    var roomPerApp: Int?
    /// How many may be open, before new ones go to the list at once.
    var room: Int?
    var showsOne: Bool?
    /// Whether it takes a number that it has never given for a good one.
    var believesNumbers: Bool?
  }

  let name: String
  let behaviour: Behaviour
  let expected: Expectations
  var ownChecks: [Check] = []

  /// It is no package of anybody's.
  let package = ""
  let programs = ["/usr/bin/python3", "busctl", "Xvfb", "openbox"]

  func start(on desktop: Desktop) throws -> RunningProgram {
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fingers/profile.py").path
    let words = String(decoding: try JSONEncoder().encode(behaviour), as: UTF8.self)
    return try RunningProgram("/usr/bin/python3", [script, words], environment: desktop.session.environment)
  }

  // MARK: The finger

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

  func reply(_ text: String, to popup: Popup, on desktop: Desktop) throws {
    _ = try finger("Reply", [popup.title, text], on: desktop)
  }

  /// There is nothing to be seen.
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

// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A notification server: how it is started, what it has drawn, and how a finger presses it. One value, one file.
///
/// What is asked of all of them is in `Checks`; a server says nothing but how. A new one is added in three places: a file
/// here, ``all``, and a test in `ServerTests`.
protocol Server: Sendable {
  /// What people call it; its picture is called so, too.
  var name: String { get }
  /// The Debian package that it comes in.
  var package: String { get }
  /// What must be there: the server first, then what it and its finger need. Paths, or names to be found in PATH.
  var programs: [String] { get }
  /// What is known of it, with the reasons.
  var expected: Expectations { get }
  /// What all programs of the session see, besides where the screen is.
  var environment: [String: String] { get }
  /// What the bus can start besides the center, by bus name: what this one server needs, and no other server.
  var services: [String] { get }

  /// What it is asked instead of the checks by the same names.
  var ownChecks: [Check] { get }

  /// A screen that it can draw on. It is there before the bus, so that whatever the bus starts can find it.
  func makeScreen(in folder: TemporaryFolder) throws -> any Screen

  /// Starts it. Whoever calls this waits until it owns its name on the bus.
  func start(on desktop: Desktop) throws -> RunningProgram

  /// What it shows at this moment.
  func popups(on desktop: Desktop) throws -> [Popup]

  /// Presses a button of a popup that ``popups(on:)`` has just told of.
  func press(_ button: Popup.Button, of popup: Popup, on desktop: Desktop) throws

  /// Does what its users do for the default action: mostly a click on the text.
  func open(_ popup: Popup, on desktop: Desktop) throws

  /// Puts a popup away.
  func dismiss(_ popup: Popup, on desktop: Desktop) throws

  /// What the server's own menu offers, where it has one instead of buttons.
  func menu(of popup: Popup, on desktop: Desktop) throws -> [String]

  /// Chooses the default action of something that has left the screen, where the server remembers it.
  func openFromHistory(_ title: String, on desktop: Desktop) throws

  /// Types an answer into the line that the server itself draws.
  func reply(_ text: String, to popup: Popup, on desktop: Desktop) throws

  /// Writes a picture of what it shows.
  func photograph(_ popups: [Popup], to file: String, on desktop: Desktop) throws
}

/// All of them, in the order of the report.
let servers: [any Server] = [
  Dunst(), Xfce(), Mate(), NotificationDaemon(), LXQt(), NotifyOSD(), Awesome(), Mako(), Swaync(), Gnome(), Plasma(),
]

extension Server {
  var environment: [String: String] { [:] }
  var services: [String] { [] }
  var ownChecks: [Check] { [] }

  func makeScreen(in folder: TemporaryFolder) throws -> any Screen { try XScreen(in: folder) }

  func menu(of popup: Popup, on desktop: Desktop) throws -> [String] { [] }

  func openFromHistory(_ title: String, on desktop: Desktop) throws {
    throw TestFailure("\(name) remembers nothing that has left the screen")
  }

  func reply(_ text: String, to popup: Popup, on desktop: Desktop) throws {
    throw TestFailure("\(name) draws no line to type in")
  }

  func photograph(_ popups: [Popup], to file: String, on desktop: Desktop) throws {
    let boxes = popups.compactMap(\.box)
    guard let first = boxes.first else { throw TestFailure("nothing to take a picture of") }
    let all = boxes.dropFirst().reduce(first) { $0.union($1) }
    try desktop.screen.photograph(all, to: file)
  }

  /// What is missing on this machine.
  var missing: [String] {
    // What Suzu itself asks with, and what takes the pictures, is there for all of them.
    let programs = (programs + ["zenity", "import"]).filter { name in
      name.contains("/") ? !FileManager.default.isExecutableFile(atPath: name) : RunningProgram.path(of: name) == nil
    }
    return programs + (Accessibility.isPossible ? [] : ["python3-gi with gir1.2-atspi-2.0"])
  }

  /// Which version is installed.
  var version: String {
    let asked = try? RunningProgram.run(
      "dpkg-query", ["-W", "-f", "${Version}", package], environment: ["PATH": "/usr/bin:/bin"])
    return asked?.status == 0 ? asked?.output ?? "" : "?"
  }
}

/// A program in a folder that has the machine's architecture in its name.
func libraryProgram(_ name: String) -> String {
  let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
  let paths = folders.filter { $0.hasSuffix("-linux-gnu") }.map { "/usr/lib/\($0)/\(name)" }
  return paths.first(where: FileManager.default.isExecutableFile) ?? "/usr/lib/\(name)"
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A notification server: how to start it, read its popups and click on them. One type per file.
///
/// The checks themselves are in `Checks`. To add a server, add a file here, an entry in ``servers``, and a test in
/// `ServerTests`.
protocol Server: Sendable {
  /// What people call it; its picture is called so, too.
  var name: String { get }
  /// The Debian package that it comes in.
  var package: String { get }
  /// Required programs: the server first, then those that it and the test need. Paths, or names in PATH.
  var programs: [String] { get }
  /// The expected behavior.
  var expected: Expectations { get }
  /// Additional environment variables for the session.
  var environment: [String: String] { get }
  /// Additional services on the bus, by name.
  var services: [String] { get }

  /// Replacements for the checks with the same names.
  var ownChecks: [Check] { get }

  /// A screen to draw on. It exists before the bus, so that services can find it.
  func makeScreen(in folder: TemporaryFolder) throws -> any Screen

  /// Starts the server. The caller waits until it owns its bus name.
  func start(on desktop: Desktop) throws -> RunningProgram

  /// The popups on the screen.
  func popups(on desktop: Desktop) throws -> [Popup]

  /// Presses a button of a popup that ``popups(on:)`` has just returned.
  func press(_ button: Popup.Button, of popup: Popup, on desktop: Desktop) throws

  /// Invokes the default action as a user does, usually with a click on the text.
  func open(_ popup: Popup, on desktop: Desktop) throws

  /// Dismisses a popup.
  func dismiss(_ popup: Popup, on desktop: Desktop) throws

  /// The entries of the server's own menu, if it has one instead of buttons.
  func menu(of popup: Popup, on desktop: Desktop) throws -> [String]

  /// Invokes the default action of a notification that has left the screen, if the server keeps it.
  func openFromHistory(_ title: String, on desktop: Desktop) throws

  /// Types a reply into the server's own field.
  func reply(_ text: String, to popup: Popup, on desktop: Desktop) throws

  /// Takes a picture of the popups.
  func photograph(_ popups: [Popup], to file: String, on desktop: Desktop) throws
}

/// All servers, in the order of the report.
let servers: [any Server] = [
  Dunst(), Dunst(isOnWayland: true), Xfce(), Xfce(isOnWayland: true), Mate(), NotificationDaemon(), LXQt(), NotifyOSD(),
  Awesome(), Mako(), Swaync(), Gnome(), Plasma(), Cinnamon(), Budgie(),
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

  /// The programs missing on this machine.
  var missing: [String] {
    // All servers need Suzu's dialog program and the tool for pictures.
    let programs = (programs + ["zenity", "import"]).filter { name in
      name.contains("/") ? !FileManager.default.isExecutableFile(atPath: name) : RunningProgram.path(of: name) == nil
    }
    return programs + (Accessibility.isPossible ? [] : ["python3-gi with gir1.2-atspi-2.0"])
  }

  /// The installed version.
  var version: String {
    let asked = try? RunningProgram.run(
      "dpkg-query", ["-W", "-f", "${Version}", package], environment: ["PATH": "/usr/bin:/bin"])
    return asked?.status == 0 ? asked?.output ?? "" : "?"
  }
}

/// A program that is not in PATH: releases have it in a folder named after the machine's architecture, in
/// `/usr/libexec`, or in `/usr/lib`.
func libraryProgram(_ name: String) -> String {
  let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
  let paths =
    folders.filter { $0.hasSuffix("-linux-gnu") }.map { "/usr/lib/\($0)/\(name)" } + ["/usr/libexec/\(name)"]
  return paths.first(where: FileManager.default.isExecutableFile) ?? "/usr/lib/\(name)"
}

// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Xvfb with a window manager.
final class XScreen: Screen {
  let environment: [String: String]
  private let surroundings: [String: String]
  private let server: RunningProgram
  private var others: [RunningProgram] = []

  /// - Parameter manager: the window manager; nil if the notification server is one.
  /// - Parameter compositor: the compositor for translucent windows, if needed.
  init(in folder: TemporaryFolder, managedBy manager: String? = "openbox", mixedBy compositor: String? = nil) throws {
    let base = ["HOME": folder.path("home"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
    // Xvfb chooses a free display, and prints it once it is ready.
    server = try RunningProgram(
      "Xvfb", ["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], environment: base)
    guard let display = server.readLine(within: 20) else { throw TestFailure("Xvfb: \(server.errors)") }
    environment = ["DISPLAY": ":" + display, "GDK_BACKEND": "x11", "XDG_SESSION_TYPE": "x11"]
    surroundings = base.merging(environment) { $1 }
    if let manager { others.append(try RunningProgram(manager, ["--sm-disable"], environment: surroundings)) }
    if let compositor { others.append(try RunningProgram(compositor, environment: surroundings)) }
  }

  func click(_ x: Int, _ y: Int, button: Int) throws {
    _ = try run("xdotool", "mousemove", "\(x)", "\(y)", "click", "\(button)")
  }

  /// Moves the pointer and leaves it there.
  func point(_ x: Int, _ y: Int) throws { _ = try run("xdotool", "mousemove", "\(x)", "\(y)") }

  /// Holds the left button down, until ``letGo()``.
  func hold() throws { _ = try run("xdotool", "mousedown", "1") }

  /// Lets the left button go.
  func letGo() throws { _ = try run("xdotool", "mouseup", "1") }

  /// Presses keys by their X names.
  func type(_ keys: [String]) throws {
    let done = try RunningProgram.run("xdotool", ["key", "--delay", "20"] + keys, environment: surroundings)
    try demand(done.status == 0, "xdotool: \(done.errors)")
  }

  func photograph(_ box: Box, to file: String) throws {
    let cut = "\(box.width)x\(box.height)+\(box.x)+\(box.y)"
    let end = ContinuousClock.now + .seconds(5)
    repeat {
      _ = try run(
        "import", "-window", "root", "-crop", cut, "+repage", "-colors", "64", "-strip", "-define",
        "png:exclude-chunks=date,time", "png8:" + file)
      // Some popups fade in.
    } while try run("identify", "-format", "%k", file) == "1" && ContinuousClock.now < end
  }

  /// The visible windows of a class, with their positions.
  func windows(ofClass name: String) throws -> [Box] {
    // The exit status only says whether there was one.
    let found = try RunningProgram.run(
      "xdotool", ["search", "--onlyvisible", "--class", name], environment: surroundings)
    return try found.output.split(separator: "\n").compactMap { window in
      // The window may be gone by now.
      let shape = try RunningProgram.run(
        "xdotool", ["getwindowgeometry", "--shell", String(window)], environment: surroundings)
      let values = shape.output.split(separator: "\n").reduce(into: [String: Int]()) { values, line in
        let parts = line.split(separator: "=")
        if parts.count == 2 { values[String(parts[0])] = Int(parts[1]) }
      }
      guard let x = values["X"], let y = values["Y"], let width = values["WIDTH"], let height = values["HEIGHT"] else {
        return nil
      }
      return Box(x: x, y: y, width: width, height: height)
    }
  }

  private func run(_ program: String, _ words: String...) throws -> String {
    let done = try RunningProgram.run(program, words, environment: surroundings)
    guard done.status == 0 else { throw TestFailure("\(program): \(done.errors)") }
    return done.output
  }
}

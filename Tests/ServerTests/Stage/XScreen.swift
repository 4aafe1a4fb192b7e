// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Xvfb, and the window manager that it has.
final class XScreen: Screen {
  let environment: [String: String]
  private let surroundings: [String: String]
  private let server: RunningProgram
  private var manager: RunningProgram?

  /// - Parameter manager: the window manager; nil: none, since the notification server is one.
  init(in folder: TemporaryFolder, managedBy manager: String? = "openbox") throws {
    let base = ["HOME": folder.path("home"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
    // It takes a display that is free, and says which once it is ready.
    server = try RunningProgram(
      "Xvfb", ["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], environment: base)
    guard let display = server.readLine(within: 20) else { throw TestFailure("Xvfb: \(server.errors)") }
    environment = ["DISPLAY": ":" + display, "GDK_BACKEND": "x11", "XDG_SESSION_TYPE": "x11"]
    surroundings = base.merging(environment) { $1 }
    if let manager { self.manager = try RunningProgram(manager, ["--sm-disable"], environment: surroundings) }
  }

  func click(_ x: Int, _ y: Int, button: Int) throws {
    _ = try run("xdotool", "mousemove", "\(x)", "\(y)", "click", "\(button)")
  }

  func photograph(_ box: Box, to file: String) throws {
    let cut = "\(box.width)x\(box.height)+\(box.x)+\(box.y)"
    _ = try run("import", "-window", "root", "-crop", cut, "+repage", "-colors", "64", "-strip", "png8:" + file)
  }

  /// The windows of a class that can be seen, with their places.
  func windows(ofClass name: String) throws -> [Box] {
    // Its status says whether there was one.
    let found = try RunningProgram.run(
      "xdotool", ["search", "--onlyvisible", "--class", name], environment: surroundings)
    return try found.output.split(separator: "\n").compactMap { window in
      // It may be gone by now.
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

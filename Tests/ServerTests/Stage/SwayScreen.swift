// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// sway without a monitor: a compositor with the layer protocol that mako and swaync need.
final class SwayScreen: Screen {
  static let width = 1280, height = 1024
  let environment: [String: String]
  let pointer: VirtualPointer
  private let compositor: RunningProgram
  private let folder: TemporaryFolder
  private let surroundings: [String: String]

  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    let runtime = try PlainUser.makeFolder("sway", in: folder)
    let configuration = try folder.write(
      """
      output HEADLESS-1 resolution \(Self.width)x\(Self.height) bg #334455 solid_color
      xwayland disable
      exec echo $WAYLAND_DISPLAY
      """, to: "sway.conf")
    let base = ["HOME": folder.path("home"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
    let own = [
      "HOME": runtime, "XDG_RUNTIME_DIR": runtime, "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1",
      "WLR_RENDERER": "pixman",
    ]
    compositor = try PlainUser.start("sway", ["--config", configuration], environment: base.merging(own) { $1 })
    // sway runs its `exec` commands once it is ready.
    guard let display = compositor.readLine(within: 20) else { throw TestFailure("sway: \(compositor.errors)") }
    let socket = runtime + "/" + display
    pointer = try VirtualPointer(at: socket, width: Self.width, height: Self.height)
    environment = ["WAYLAND_DISPLAY": socket, "GDK_BACKEND": "wayland", "XDG_SESSION_TYPE": "wayland"]
    surroundings = base.merging(environment) { $1 }.merging(["XDG_RUNTIME_DIR": folder.path("run")]) { $1 }
  }

  func click(_ x: Int, _ y: Int, button: Int) throws { try pointer.click(x, y, button: button) }

  func photograph(_ box: Box, to file: String) throws {
    try run("grim", "-g", "\(box.x),\(box.y) \(box.width)x\(box.height)", folder.path("part.png"))
    try run("convert", folder.path("part.png"), "+repage", "-colors", "64", "-strip", "png8:" + file)
  }

  /// The current content of the screen.
  func pixels() throws -> Pixels {
    try run("grim", "-t", "ppm", folder.path("screen.ppm"))
    return try Pixels(contentsOf: folder.path("screen.ppm"))
  }

  private func run(_ program: String, _ words: String...) throws {
    let done = try RunningProgram.run(program, words, environment: surroundings)
    guard done.status == 0 else { throw TestFailure("\(program): \(done.errors)") }
  }
}

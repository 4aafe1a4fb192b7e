// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// sway without a monitor: a compositor with the layer protocol that mako and swaync need.
final class SwayScreen: Screen {
  static let width = SwayCompositor.width
  /// The colour of the empty screen.
  static let ground: UInt32 = 0x334455
  /// The programs that it needs.
  static let programs = ["sway", "swaybg", "grim", "convert", "setpriv"]
  private let compositor: SwayCompositor
  var environment: [String: String] { compositor.environment }
  var pointer: VirtualPointer { compositor.pointer }
  private let folder: TemporaryFolder
  private let surroundings: [String: String]

  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    compositor = try SwayCompositor(in: folder)
    let base = ["HOME": folder.path("home"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
    surroundings = base.merging(compositor.environment) { $1 }.merging(["XDG_RUNTIME_DIR": folder.path("run")]) { $1 }
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

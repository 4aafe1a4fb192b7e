// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import TestStage

/// sway without a monitor: a compositor with a mouse and, if wtype is installed, a keyboard. Its windows have no borders, and one by itself fills the screen.
package final class SwayCompositor {
  package static let width = 1280, height = 1024
  /// The variables that programs need to find it.
  package let environment: [String: String]
  package let pointer: VirtualPointer
  private let program: RunningProgram
  /// Keeps the keyboard: what is typed on a new one is lost to windows that have not yet seen it.
  private let keyboard: RunningProgram?

  /// Whether it is installed.
  package static let isInstalled = ["sway", "swaybg", "setpriv"].allSatisfy { RunningProgram.path(of: $0) != nil }
  /// Whether it has a keyboard.
  package static let hasKeyboard = RunningProgram.path(of: "wtype") != nil

  package init(in folder: TemporaryFolder) throws {
    let runtime = try PlainUser.makeFolder("sway", in: folder)
    let configuration = try folder.write(
      """
      output HEADLESS-1 resolution \(Self.width)x\(Self.height) bg #334455 solid_color
      xwayland disable
      default_border none
      default_floating_border none
      exec echo $WAYLAND_DISPLAY
      """, to: "sway.conf")
    let base = ["HOME": folder.path("home"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
    let own = [
      "HOME": runtime, "XDG_RUNTIME_DIR": runtime, "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1",
      "WLR_RENDERER": "pixman",
    ]
    program = try PlainUser.start("sway", ["--config", configuration], environment: base.merging(own) { $1 })
    // sway runs its `exec` commands once it is ready.
    guard let display = program.readLine(within: 20) else { throw TestFailure("sway: \(program.errors)") }
    let socket = runtime + "/" + display
    pointer = try VirtualPointer(at: socket, width: Self.width, height: Self.height)
    environment = ["WAYLAND_DISPLAY": socket, "GDK_BACKEND": "wayland", "XDG_SESSION_TYPE": "wayland"]
    // It has a key map from the beginning, and presses nothing for an hour.
    keyboard =
      try Self.hasKeyboard
      ? RunningProgram("wtype", ["-s", "3600000", "-k", "Shift_L"], environment: own.merging(environment) { $1 }) : nil
  }

  // MARK: Keyboard

  /// Presses keys by their X names, such as `ctrl+n`.
  package func press(_ keys: [String]) throws {
    for key in keys {
      let parts = key.split(separator: "+").map(String.init)
      let modifiers = parts.dropLast()
      try run(
        modifiers.flatMap { ["-M", $0] } + ["-k", parts.last ?? ""] + modifiers.reversed().flatMap { ["-m", $0] })
    }
  }

  package func type(_ text: String) throws { try run(["-d", "15", "--", text]) }

  private func run(_ words: [String]) throws {
    let done = try RunningProgram.run(
      "wtype", words, environment: environment.merging(["PATH": "/usr/bin:/bin"]) { $1 })
    guard done.status == 0 else { throw TestFailure("wtype: \(done.errors)") }
  }
}

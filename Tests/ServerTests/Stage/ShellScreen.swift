// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport

/// GNOME Shell without a monitor, which is its own screen: it starts with the server. The pointer is a virtual device
/// of the compositor, and behaves like a real one.
final class ShellScreen: Screen {
  static let width = 1280, height = 1024
  let environment: [String: String]
  /// An empty system bus.
  private let systemBus: PrivateBus
  private let folder: TemporaryFolder
  private let runtime: String
  private var session: Session?

  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    runtime = try PlainUser.makeFolder("shell", in: folder)
    let systemFolder = try TemporaryFolder()
    systemBus = try PrivateBus(in: systemFolder)
    try PlainUser.letPass(systemFolder)
    environment = [
      "WAYLAND_DISPLAY": runtime + "/wayland-suzu", "GDK_BACKEND": "wayland", "XDG_SESSION_TYPE": "wayland",
      "DBUS_SYSTEM_BUS_ADDRESS": systemBus.address,
    ]
  }

  /// Starts the shell and waits for the end of its startup.
  ///
  /// On a busy machine about one in fifteen shells hangs there. The next one takes its place, within a time limit, and
  /// the output of the walk says so.
  func start(in session: Session) throws -> RunningProgram {
    self.session = session
    let end = ContinuousClock.now + .seconds(240)
    while true {
      let shell = try launch(in: session)
      if try hasStarted(shell) { return try plugIn(shell) }
      shell.kill()
      guard ContinuousClock.now < end else { throw TestFailure("gnome-shell does not start: \(shell.errors)") }
      print("note: a gnome-shell hung at its startup and was replaced; its errors: \(shell.errors)")
      try endOwner(in: session)
    }
  }

  /// The next shell would give up while one owns the name. A child that a hung shell has forked may keep its connection
  /// after the shell itself has ended.
  private func endOwner(in session: Session) throws {
    let mark = Data("XDG_RUNTIME_DIR=\(runtime)\0".utf8)
    let end = ContinuousClock.now + .seconds(30)
    while try session.process(of: "org.gnome.Shell") != nil, ContinuousClock.now < end {
      for process in try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap({ Int32($0) }) {
        let environment = FileManager.default.contents(atPath: "/proc/\(process)/environ") ?? Data()
        if environment.range(of: mark) != nil { Glibc.kill(process, SIGKILL) }
      }
    }
  }

  private func launch(in session: Session) throws -> RunningProgram {
    let own = [
      "HOME": runtime, "XDG_RUNTIME_DIR": runtime, "XDG_CONFIG_HOME": runtime + "/config",
      "XDG_DATA_HOME": runtime + "/data", "XDG_CURRENT_DESKTOP": "GNOME", "LIBGL_ALWAYS_SOFTWARE": "1",
      "GSETTINGS_BACKEND": "memory",
    ]
    let socket = URL(filePath: environment["WAYLAND_DISPLAY"] ?? "").lastPathComponent
    var variables = session.environment.merging(own) { $1 }
    variables["WAYLAND_DISPLAY"] = nil
    // The settings suppress the shell's own warning about a missing lock screen, and install Suzu's entry. Unsafe mode
    // lets the test run scripts in the shell.
    // (An entry counts only if its program is found, and this user cannot access ours.)
    try folder.write("#!/bin/sh\n", to: "bin/suzu", executable: true)
    variables["PATH"] = folder.path("bin") + ":/usr/bin:/bin"
    variables["ENTRY"] = try folder.write(
      String(contentsOf: Session.checkout.appending(path: "Assets/dev.suzu.Suzu.desktop"), encoding: .utf8),
      to: "dev.suzu.Suzu.desktop")
    let script = """
      mkdir -p "$XDG_DATA_HOME" && cd "$XDG_DATA_HOME" && mkdir -p gnome-shell applications &&
      touch gnome-shell/lock-warning-shown && cp "$ENTRY" applications/ && exec gnome-shell "$@"
      """
    return try PlainUser.start(
      "/bin/sh",
      [
        "-c", script, "sh", "--unsafe-mode", "--headless", "--wayland", "--no-x11", "--virtual-monitor",
        "\(Self.width)x\(Self.height)", "--wayland-display", socket,
      ], environment: variables)
  }

  /// The shell owns its name before it is ready.
  private func hasStarted(_ shell: RunningProgram) throws -> Bool {
    guard try session?.awaitOwner(of: "org.gnome.Shell") == true else { return false }
    let end = ContinuousClock.now + .seconds(30)
    while shell.isRunning, ContinuousClock.now < end {
      if (try? evaluate("Main.layoutManager._startingUp")) == "false" { return true }
    }
    return false
  }

  /// Creates a virtual pointer. It begins in the upper left corner, where GNOME 50 has a barrier that would hold it.
  private func plugIn(_ shell: RunningProgram) throws -> RunningProgram {
    try evaluate(
      """
      const { Clutter } = imports.gi;
      global.finger = Clutter.get_default_backend().get_default_seat()
        .create_virtual_device(Clutter.InputDeviceType.POINTER_DEVICE);
      global.finger.notify_absolute_motion(0, 0, \(Self.height - 1));
      Main.overview.hide();
      """)
    return shell
  }

  /// Runs a script in the shell. Returns its value as JSON, or an empty text.
  @discardableResult
  func evaluate(_ script: String) throws -> String {
    struct Answer: Decodable {
      var data: (Bool, String)

      init(from decoder: any Decoder) throws {
        var values = try decoder.container(keyedBy: CodingKeys.self).nestedUnkeyedContainer(forKey: .data)
        data = (try values.decode(Bool.self), try values.decode(String.self))
      }

      private enum CodingKeys: CodingKey { case data }
    }
    let text = try call("/org/gnome/Shell", "org.gnome.Shell", "Eval", "s", script)
    let answer = try JSONDecoder().decode(Answer.self, from: Data(text.utf8)).data
    guard answer.0 else { throw TestFailure("gnome-shell: \(answer.1)") }
    return answer.1
  }

  private func call(_ path: String, _ interface: String, _ member: String, _ words: String...) throws -> String {
    guard let session else { throw TestFailure("gnome-shell has not been started") }
    let called = try RunningProgram.run(
      "busctl",
      [
        "--address", session.bus.address, "--timeout=5", "--json=short", "call", "org.gnome.Shell", path, interface,
        member,
      ] + words,
      environment: session.environment)
    guard called.status == 0 else { throw TestFailure("gnome-shell: \(called.errors)") }
    return called.output
  }

  // MARK: Pointer

  func click(_ x: Int, _ y: Int, button: Int) throws {
    // Clutter counts as X does: 1 left, 2 middle, 3 right. The pointer leaves after the click, because a popup that
    // appears under it would not notice it.
    try evaluate(
      """
      const id = global.stage.connect('captured-event', (stage, event) => {
        if (event.type() === imports.gi.Clutter.EventType.BUTTON_RELEASE) {
          global.stage.disconnect(id);
          global.finger.notify_absolute_motion(0, 0, \(Self.height - 1));
        }
        return false;
      });
      global.finger.notify_absolute_motion(0, \(x), \(y));
      global.finger.notify_button(0, \(button), 1);
      global.finger.notify_button(0, \(button), 0);
      """)
  }

  /// Moves the pointer and leaves it there.
  func point(_ x: Int, _ y: Int) throws { try evaluate("global.finger.notify_absolute_motion(0, \(x), \(y));") }

  func photograph(_ box: Box, to file: String) throws {
    let part = runtime + "/part.png"
    _ = try call(
      "/org/gnome/Shell/Screenshot", "org.gnome.Shell.Screenshot", "ScreenshotArea", "iiiibs", "\(box.x)", "\(box.y)",
      "\(box.width)", "\(box.height)", "false", part)
    let done = try RunningProgram.run(
      "convert", [part, "+repage", "-colors", "64", "-strip", "png8:" + file], environment: ["PATH": "/usr/bin:/bin"])
    guard done.status == 0 else { throw TestFailure("convert: \(done.errors)") }
  }
}

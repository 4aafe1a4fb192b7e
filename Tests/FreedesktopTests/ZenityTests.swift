// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import Freedesktop
import TestSupport
import Testing

/// Tests the real zenity on a virtual screen, with simulated key presses.
@Suite(
  .serialized, .timeLimit(.minutes(3)),
  .enabled(if: Screen.isThere, "zenity, Xvfb, openbox or xdotool is not installed"))
struct ZenityTests {
  @Test func `The typed text is the answer, even if empty`() async throws {
    await #expect(processExitsWith: .success) {
      let screen = try Screen()
      let prompt = Prompt(title: "Reply", text: "<b>_a</b> \\n & b\nsecond")
      try await withLoop { loop in
        let answers: [([String], Prompt.Ending)] = [
          (["type", "früh -n <&_ \\n"], .answered("früh -n <&_ \\n")), ([], .answered("")),
        ]
        for (keys, answer) in answers {
          let asking = Task { await prompt.ask(activationToken: nil, on: loop) }
          try await screen.press(keys, in: "Reply", photograph: "prompt")
          try await screen.press(["key", "Return"], in: "Reply")
          #expect(await asking.value == answer)
        }
        for key in ["Escape", "alt+F4"] {
          let asking = Task { await prompt.ask(activationToken: nil, on: loop) }
          try await screen.press(["key", key], in: "Reply")
          #expect(await asking.value == .cancelled, "\(key)")
        }
      }
    }
  }

  /// To the first row, past both buttons: with zenity 3 the rows have the focus, with zenity 4 nothing has it.
  private static let toRows = ["Tab", "Tab", "Tab", "Home"]

  @Test func `The chosen row is reported by its index`() async throws {
    await #expect(processExitsWith: .success) {
      let screen = try Screen()
      let chooser = Chooser(
        title: "More", heading: "<b>CANARY</b> & \\n", choices: ["Same", "Same", "--help", "<i>früh</i>\n", ""])
      try await withLoop { loop in
        for index in chooser.choices.indices {
          let asking = Task { await chooser.ask(activationToken: nil, on: loop) }
          let keys = Self.toRows + [String](repeating: "Down", count: index + 1) + ["space", "Return"]
          try await screen.press(["key", "--delay", "40"] + keys, in: "More", photograph: "chooser")
          #expect(await asking.value == .chosen(index))
        }
        let asking = Task { await chooser.ask(activationToken: nil, on: loop) }
        try await screen.press([], in: "More")
        // The heading is in the list. Neither it nor the labels are where other users could read them.
        let line = try Screen.commandLine(of: "zenity")
        #expect(line.contains("--title=More") && !line.contains("CANARY") && !line.contains("Same"))
        try await screen.press(["key", "--delay", "40"] + Self.toRows + ["space", "Return"], in: "More")
        // The heading is not a choice: the list is shown again.
        try await screen.press(["key", "Escape"], in: "More")
        #expect(await asking.value == .cancelled)
      }
    }
  }

  @Test func `Cancelling the task removes the dialog from the screen`() async throws {
    await #expect(processExitsWith: .success) {
      let screen = try Screen()
      try await withLoop { loop in
        let asking = Task { await Prompt(title: "Gone").ask(activationToken: nil, on: loop) }
        try await screen.press([], in: "Gone")
        asking.cancel()
        #expect(await asking.value == .closed)
      }
    }
  }

  @Test func `A dialog without a screen fails and does not count as cancelled`() async throws {
    await #expect(processExitsWith: .success) {
      for name in ["DISPLAY", "WAYLAND_DISPLAY"] { unsetenv(name) }
      try await withLoop { loop in
        #expect(await Prompt(title: "").ask(activationToken: nil, on: loop) == .failed("zenity: exit 1"))
      }
    }
  }
}

/// A virtual screen with a window manager, for this process and the programs that it starts.
private final class Screen: Sendable {
  private let bus: PrivateBus
  private let server: RunningProgram
  private let manager: RunningProgram
  private let environment: [String: String]

  /// In CI these tests must run, so their programs must be installed.
  static var isThere: Bool {
    ProcessInfo.processInfo.environment["CI"] == "true"
      || ["zenity", "Xvfb", "openbox", "xdotool"].allSatisfy { RunningProgram.path(of: $0) != nil }
  }

  init() throws {
    bus = try PrivateBus()
    // Without -noreset, the server forgets the keyboard once the first program, which has set it, has left.
    server = try RunningProgram(
      "Xvfb", ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset"],
      environment: bus.environment)
    guard let display = server.readLine(within: 20) else { throw TestFailure("Xvfb: \(server.errors)") }
    let own = ["DISPLAY": ":" + display, "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1", "GTK_A11Y": "none"]
    environment = bus.environment.merging(own) { $1 }
    // A German keyboard has all letters that are typed here. For others, xdotool changes the keyboard for a moment, which
    // zenity misses on a busy machine.
    let keys = try RunningProgram.run("setxkbmap", ["-layout", "de"], environment: environment)
    guard keys.status == 0 else { throw TestFailure("setxkbmap: \(keys.errors)") }
    // This process needs it as well, since the dialog inherits it. The home is not the user's, and the locale is the
    // worst one.
    for (name, value) in environment { setenv(name, value, 1) }
    for name in ["LC_ALL", "XDG_CURRENT_DESKTOP", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"] { unsetenv(name) }
    setenv("LANG", "C", 1)
    manager = try RunningProgram(
      "openbox", ["--sm-disable", "--startup", "echo started"], environment: environment)
    guard manager.readLine(within: 20) != nil else { throw TestFailure("openbox: \(manager.errors)") }
    // While it reads its files for the first time, zenity 4 has the focus but loses keys. This dialog closes itself.
    _ = try RunningProgram.run("zenity", ["--entry", "--timeout=1"], environment: environment)
  }

  /// Waits until the window has the keyboard focus, and presses keys.
  func press(_ keys: [String], in title: String, photograph: String? = nil) async throws {
    try await xdotool(["search", "--sync", "--onlyvisible", "--name", "^\(title)$", "windowactivate", "--sync"])
    // Without a search, because xdotool would then send events to the window that GTK ignores.
    if !keys.isEmpty { try await xdotool(keys) }
    guard let photograph, let folder = ProcessInfo.processInfo.environment["SUZU_PICTURES"] else { return }
    let picture = "\(folder)/\(photograph).png"
    _ = try RunningProgram.run("import", ["-window", "root", picture], environment: environment)
  }

  /// The command lines of the programs that this process started, as every user can read them.
  static func commandLine(of program: String) throws -> String {
    let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
    for number in numbers {
      let status = (try? String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8)) ?? ""
      guard status.contains("\nPPid:\t\(getpid())\n"), status.hasPrefix("Name:\t\(program)\n") else { continue }
      let bytes = try Data(contentsOf: URL(filePath: "/proc/\(number)/cmdline"))
      return String(decoding: bytes.map { $0 == 0 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }
    throw TestFailure("'\(program)' does not run")
  }

  private func xdotool(_ words: [String]) async throws {
    let environment = environment
    while true {
      let (status, errors) = try await offPool {
        let program = try RunningProgram("xdotool", words, environment: environment)
        defer { program.kill() }
        return (program.waitForExit(within: 5), program.errors)
      }
      if status == 0 { return }
      // It found the window of the dialog before, which was just being closed, or waits for the focus of that window.
      // The time limit of the suite ends this.
      guard words.first == "search", status == nil || errors.contains("BadWindow") else {
        throw TestFailure("xdotool: \(errors)")
      }
    }
  }
}

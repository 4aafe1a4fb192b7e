// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A screen in memory, a session with the real center, the window, and a screen reader.
final class WindowStage {
  /// What draws the screen: an X server with a window manager, which also has a keyboard, or a Wayland compositor.
  enum Kind { case x11, wayland }

  let session: Session
  let reader: ScreenReader
  private let screen: XScreen?
  private let compositor: SwayCompositor?
  private(set) var window: RunningProgram!

  /// Whether the screen and the screen reader are installed.
  static let isPossible =
    ["Xvfb", "openbox", "xdotool"].allSatisfy { RunningProgram.path(of: $0) != nil }
    && FileManager.default.fileExists(atPath: accessibilityService)
    && (try? RunningProgram.run(
      "/usr/bin/python3", ["-c", "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"],
      environment: [:]
    ).status) == 0

  /// A notification server whose popups a screen reader reads.
  static let popupServer = "/usr/lib/mate-notification-daemon/mate-notification-daemon"

  private static let accessibilityService = "/usr/share/dbus-1/services/org.a11y.Bus.service"

  init(
    on kind: Kind = .x11, hasCenter: Bool = true, opens: Bool = true, dark: Bool = false,
    services: [String: String] = [:], variables more: [String: String] = [:]
  ) throws {
    let folder = try TemporaryFolder()
    for name in ["run", "home"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    let base = ["HOME": folder.path("home"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
    screen = kind == .x11 ? try XScreen(base) : nil
    compositor = kind == .wayland ? try SwayCompositor(in: folder) : nil
    var variables = [
      "GSK_RENDERER": "cairo",
      // The center finds the program of the dialogs.
      "PATH": "\(Session.programs):/usr/bin:/bin",
      // No animations, and no settings of a desktop.
      "GSETTINGS_BACKEND": "memory",
      "XDG_DATA_DIRS": "\(Session.programs):/usr/local/share:/usr/share",
    ]
    if dark { variables["ADW_DEBUG_COLOR_SCHEME"] = "prefer-dark" }
    variables.merge(screen?.environment ?? compositor?.environment ?? [:]) { $1 }
    variables.merge(more) { $1 }
    try screen?.startManager(base.merging(variables) { $1 })
    let service = try String(contentsOfFile: Self.accessibilityService, encoding: .utf8)
    guard let line = service.split(separator: "\n").first(where: { $0.hasPrefix("Exec=") }) else {
      throw TestFailure("the accessibility bus has no command")
    }
    session = try Session(
      hasCenter: hasCenter,
      services: [
        "org.a11y.Bus": String(line.dropFirst("Exec=".count)),
        "dev.suzu.Suzu": Session.programs + "/suzu-window --gapplication-service",
      ].merging(services) { $1 }, variables: variables, in: folder)
    reader = try ScreenReader(session.environment)
    if opens { try open() }
  }

  deinit {
    // Without its bus the center would wait for another one.
    if let center = try? session.process(of: "dev.suzu.Center") { kill(center, SIGTERM) }
  }

  /// Starts the window and waits for it.
  func open(_ variables: [String: String] = [:]) throws {
    window = try RunningProgram(
      Session.programs + "/suzu-window", environment: session.environment.merging(variables) { $1 })
    try awaitWindow("Suzu")
  }

  /// The mouse of a Wayland compositor; nil on an X server.
  var pointer: VirtualPointer? { compositor?.pointer }

  /// Waits until the window with this title has the keyboard; of a program that has just ended, there may be another.
  func awaitWindow(_ title: String, of program: RunningProgram? = nil) throws {
    // A compositor does not say which window has the keyboard.
    if compositor != nil {
      return try wait(for: "window '\(title)'") { nodes in
        // GTK does not always name the window itself.
        nodes.contains { ["frame", "label"].contains($0.role) && $0.name == title } ? () : nil
      }
    }
    try wait(for: "active window '\(title)'") { _ -> Void? in
      let found = try session.run("xdotool", ["getactivewindow", "getwindowname", "getactivewindow", "getwindowpid"])
      let lines = found.output.split(separator: "\n")
      guard lines.first.map(String.init) == title else { return nil }
      return program == nil || lines.last.flatMap { Int32($0) } == program?.processID ? () : nil
    }
  }

  func start(_ words: String..., variables: [String: String] = [:]) throws -> RunningProgram {
    try RunningProgram(
      Session.programs + "/suzu-window", words, environment: session.environment.merging(variables) { $1 })
  }

  /// Gives the active window another size.
  func resize(width: Int, height: Int) throws {
    try xdotool("getactivewindow", "windowsize", "\(width)", "\(height)")
    try wait(for: "width of \(width)") { _ -> Void? in
      let geometry = try session.run("xdotool", ["getactivewindow", "getwindowgeometry", "--shell"]).output
      return geometry.contains("WIDTH=\(width)\n") ? () : nil
    }
  }

  // MARK: Seeing

  /// Looks until something is there. Most changes wake it; the others are seen a moment later.
  @discardableResult
  func wait<T>(
    for what: String, within seconds: Double = 20, _ look: ([ScreenReader.Node]) throws -> T?
  ) throws -> T {
    let end = ContinuousClock.now + .seconds(seconds)
    while true {
      let nodes = try reader.nodes()
      if let found = try look(nodes) { return found }
      if ContinuousClock.now > end {
        let named = nodes.filter {
          !["", "filler", "panel", "image", "page tab"].contains($0.role) && !$0.name.isEmpty
        }
        let there = named.map { "\($0.role) '\($0.name.prefix(60))'" }.joined(separator: ", ")
        throw TestFailure("no \(what) within \(seconds) s; on the screen: \(there); errors: \(window?.errors ?? "")")
      }
      try reader.awaitChange()
    }
  }

  /// Waits for something with this name.
  @discardableResult
  func see(_ name: String) throws -> ScreenReader.Node {
    try wait(for: "'\(name)'") { nodes in nodes.first { $0.name == name } }
  }

  /// Waits for something whose name contains a text.
  @discardableResult
  func see(containing text: String) throws -> ScreenReader.Node {
    try wait(for: "…\(text)…") { nodes in nodes.first { $0.name.contains(text) } }
  }

  /// Waits until nothing has a name with this text.
  func awaitAbsence(of text: String) throws {
    try wait(for: "end of '\(text)'") { nodes in nodes.contains { $0.name.contains(text) } ? nil : () }
  }

  // MARK: Doing

  /// Presses the button with this name.
  func press(_ name: String) throws {
    // A node's number is that of the last look.
    try reader.press(
      try wait(for: "button '\(name)'") { nodes in
        nodes.first { $0.isButton(name) }
      })
  }

  /// Replaces the text of the line with this name.
  func write(_ text: String, into name: String) throws {
    try reader.write(
      text, into: try wait(for: "line '\(name)'") { nodes in nodes.first { $0.name == name && $0.text != nil } })
  }

  /// Presses keys by their X names.
  func keys(_ names: String...) throws { try keys(names) }

  /// - Parameter pause: the milliseconds between two keys, on an X server.
  func keys(_ names: [String], pause: Int = 30) throws {
    if let compositor { return try compositor.press(names) }
    let done = try session.run("xdotool", ["key", "--delay", "\(pause)"] + names)
    guard done.status == 0 else { throw TestFailure("xdotool: \(done.errors)") }
  }

  /// Presses Tab until something whose name contains a text has the keyboard.
  func focus(containing text: String) throws {
    try see(containing: text)
    for _ in 0..<40 {
      if try reader.nodes().contains(where: { $0.focused && $0.name.contains(text) }) { return }
      try keys("Tab")
    }
    throw TestFailure("Tab does not reach …\(text)…")
  }

  /// Types a text on the keyboard.
  func type(_ text: String) throws {
    if let compositor { return try compositor.type(text) }
    let done = try session.run("xdotool", ["type", "--delay", "15", text])
    guard done.status == 0 else { throw TestFailure("xdotool: \(done.errors)") }
  }

  /// Clicks a button of another program, such as one of a popup, with the mouse.
  func click(_ button: String, of program: String) throws {
    let box = try wait(for: "button '\(button)' of \(program)") { _ in
      let nodes = try reader.programs().filter { $0.name == program }.flatMap(\.all)
      return nodes.first { $0.role == "push button" && $0.name == button }?.box
    }
    try xdotool("mousemove", "--sync", "\(box[0] + box[2] / 2)", "\(box[1] + box[3] / 2)", "click", "1")
  }

  /// Clicks the button with this name in the active window, with the mouse.
  func click(_ name: String) throws {
    try click(try wait(for: "button '\(name)'") { nodes in nodes.first { $0.isButton(name) } })
  }

  /// Clicks a node of the active window.
  func click(_ node: ScreenReader.Node) throws {
    // The window manager may still be putting the window where it belongs.
    let end = ContinuousClock.now + .seconds(20)
    var (before, spot) = (try place(of: node), (x: -1, y: -1))
    while true {
      try reader.awaitChange()
      spot = try place(of: node)
      if spot == before { break }
      guard ContinuousClock.now < end else { throw TestFailure("'\(node.name)' does not come to rest") }
      before = spot
    }
    try xdotool("mousemove", "\(spot.x)", "\(spot.y)", "click", "1")
  }

  /// The middle of a node of the active window on the screen: GTK 4 reports places within its window.
  private func place(of node: ScreenReader.Node) throws -> (x: Int, y: Int) {
    let window = try session.run("xdotool", ["getactivewindow", "getwindowgeometry", "--shell"]).output
    func number(_ key: String) -> Int {
      window.split(separator: "\n").first { $0.hasPrefix(key + "=") }.flatMap { Int($0.dropFirst(key.count + 1)) } ?? 0
    }
    let box = try reader.place(of: node)
    return (number("X") + box[0] + box[2] / 2, number("Y") + box[1] + box[3] / 2)
  }

  /// Waits until the switch with this name is on or off: it moves before it says so.
  func awaitSwitch(_ name: String, isOn: Bool) throws {
    try wait(for: "switch '\(name)' that is \(isOn ? "on" : "off")") { nodes in
      nodes.contains { $0.isButton(name) && $0.checked == isOn } ? () : nil
    }
  }

  /// Drags what is named so to what is named otherwise, with the mouse.
  func drag(_ from: String, to: String) throws { try drag(from, to: try label(to)) }

  /// Drags what is named so to where a column and a row meet.
  func drag(_ from: String, toColumn column: String, row: String) throws {
    try drag(from, to: (x: try label(column).x, y: try label(row).y))
  }

  /// The middle of the text with this name.
  private func label(_ name: String) throws -> (x: Int, y: Int) {
    try place(of: try wait(for: "'\(name)'") { nodes in nodes.first { $0.role == "label" && $0.name == name } })
  }

  private func drag(_ from: String, to end: (x: Int, y: Int)) throws {
    let start = try label(from)
    try xdotool("mousemove", "--sync", "\(start.x)", "\(start.y)", "mousedown", "1")
    // As a hand does it: the programs hear of each step.
    for step in 1...12 {
      let x = start.x + (end.x - start.x) * step / 12 + (step % 2) * 2
      try xdotool("mousemove", "\(x)", "\(start.y + (end.y - start.y) * step / 12)")
      try reader.awaitChange()
    }
    try xdotool("mouseup", "1")
  }

  /// Turns the wheel over a node of the active window, towards the end.
  func scroll(over node: ScreenReader.Node, by steps: Int) throws {
    let spot = try place(of: node)
    try xdotool("mousemove", "--sync", "\(spot.x)", "\(spot.y)", "click", "--repeat", "\(steps)", "5")
  }

  /// Runs xdotool with these words.
  private func xdotool(_ words: String...) throws {
    let done = try session.run("xdotool", words)
    guard done.status == 0 else { throw TestFailure("xdotool: \(done.errors)") }
  }

  /// The programs of this name that the center has started.
  func processes(of program: String) throws -> [Int32] {
    guard let center = try session.process(of: "dev.suzu.Center") else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter { process in
      let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
      return status.contains("\nPPid:\t\(center)\n") && status.hasPrefix("Name:\t\(program)\n")
    }
  }

  /// Their command lines, as every user of the machine can read them.
  func commandLines(of program: String) throws -> [String] {
    try processes(of: program).map { process in
      let words = try Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline")).split(separator: 0)
      return words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }
  }

  /// Moves the mouse to a corner of the screen: a row below it looks otherwise.
  func putMouseAway() throws { try xdotool("mousemove", "0", "0") }

  /// Saves a picture of the active window, once it no longer changes.
  func photograph(_ file: String) throws {
    var last = ""
    let end = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < end {
      let window = try session.run("xdotool", ["getactivewindow"]).output.filter(\.isNumber)
      let done = try session.run(
        "import",
        [
          "-window", window, "+dither", "-colors", "128", "-strip", "-define", "png:exclude-chunks=date,time",
          "png8:" + file,
        ])
      guard done.status == 0 else { throw TestFailure("import: \(done.errors)") }
      let sum = try session.run("cksum", [file]).output
      if sum == last { return }
      last = sum
      try reader.awaitChange()
    }
  }

  // MARK: The command

  /// Runs `suzu`, which must succeed.
  func command(_ words: String...) throws { try command(words) }

  func command(_ words: [String]) throws {
    let done = try session.suzu(words)
    guard done.status == 0 else { throw TestFailure("suzu \(words): \(done.errors)") }
  }

  /// Looks with the command until something is as expected.
  func wait(_ what: String, until isSo: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(20)
    repeat {
      if try isSo() { return }
      try reader.awaitChange()
    } while ContinuousClock.now < end
    throw TestFailure("no \(what): errors: \(window?.errors ?? "")")
  }

  /// What `suzu list --json` prints.
  func listed() throws -> [[String: Any]] {
    let output = try session.suzu("list", "--json").output
    return try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]] ?? []
  }

  /// Looks at the command's list until it is as expected.
  func wait(forList what: String, _ fits: ([[String: Any]]) -> Bool) throws {
    let end = ContinuousClock.now + .seconds(20)
    var list: [[String: Any]] = []
    repeat {
      list = try listed()
      if fits(list) { return }
      try reader.awaitChange()
    } while ContinuousClock.now < end
    throw TestFailure("'suzu list' has no \(what): \(list)")
  }
}

extension ScreenReader.Node {
  /// Whether it is a button or a switch with this name. GTK 4.8 says that of some buttons twice.
  func isButton(_ name: String) -> Bool {
    (self.name == name || self.name == "\(name) \(name)")
      && ["push button", "toggle button", "switch", "check box"].contains(role)
  }
}

/// An X server with a window manager.
private final class XScreen {
  let environment: [String: String]
  private let server: RunningProgram
  private var manager: RunningProgram?

  init(_ base: [String: String]) throws {
    server = try RunningProgram(
      "Xvfb", ["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], environment: base)
    guard let display = server.readLine(within: 20) else { throw TestFailure("Xvfb: \(server.errors)") }
    environment = ["DISPLAY": ":" + display, "GDK_BACKEND": "x11", "XDG_SESSION_TYPE": "x11"]
  }

  /// A window that is there before the window manager does not get the keyboard.
  func startManager(_ environment: [String: String]) throws {
    let manager = try RunningProgram(
      "openbox", ["--sm-disable", "--startup", "echo started"], environment: environment)
    guard manager.readLine(within: 20) != nil else { throw TestFailure("openbox: \(manager.errors)") }
    self.manager = manager
  }
}

extension Session {
  fileprivate func run(_ program: String, _ words: [String]) throws -> (status: Int32, output: String, errors: String) {
    try RunningProgram.run(program, words, environment: environment)
  }
}

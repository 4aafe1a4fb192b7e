// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import TestSupport
import Testing

/// A home for a recipe: our center, a notification server that the test controls, and stand-ins that record the calls
/// of the programs in recipes.
struct RecipeStage {
  let recipe: Recipe
  let effect: Effect
  let session: Session
  private let witness: RunningProgram
  private let server: ScriptedServer?
  private let lock: ScreenLock?
  private let speech: SpeechServer?
  private var shown: [String: ScriptedServer.Posted] = [:]

  private static let standIns = [
    "xdg-open", "systemctl", "firefox", "gnome-calendar", "calendar", "echo", "../home/deploy", "mpc", "backup",
    "notes",
    "make", "xdg-screensaver", "journalctl", "lamp",
  ]

  init(_ recipe: Recipe, _ effect: Effect, on loop: EventLoop) async throws {
    (self.recipe, self.effect) = (recipe, effect)
    let folder = try TemporaryFolder()
    try Self.furnish(folder, effect)
    session = try Session(
      variables: [
        "PATH": folder.path("bin") + ":/usr/bin:/bin", "XDG_DATA_DIRS": folder.path("share"),
        "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + folder.path(effect.hasSystemBus ? "bus" : "none"),
        "TZDIR": FixedZones.folder, "XDG_RUNTIME_DIR": folder.path("run"),
      ], in: folder)
    witness = try session.witness()
    if recipe.language == "json" {
      try folder.write(recipe.text, to: "home/.config/suzu/categories.d/recipe.json")
    }
    lock = effect.isLocked ? try await ScreenLock.start(on: session.bus, loop, isLocked: true) : nil
    speech =
      effect.needs == .speechDispatcher
      ? try SpeechServer(at: folder.path("speech-socket"), in: folder, environment: session.environment) : nil
    server = effect.hasServer ? try await ScriptedServer.start(on: session.bus, loop) : nil
    if !effect.given.isEmpty {
      let given = try await run(effect.given)
      #expect(given.status == 0, "\(given.errors)")
    }
    for step in effect.ready { try await take(step, nil) }
  }

  private static func furnish(_ folder: TemporaryFolder, _ effect: Effect) throws {
    let witness = folder.path("witness")
    let tells = { (name: String) in "printf '%s\\n' \"\(name) $*\" >'\(witness)'\n" }
    try folder.write("", to: "home/.empty")
    try folder.write("", to: "bin/.empty")
    try folder.write("", to: "run/.empty")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("bin/suzu"), withDestinationPath: Session.programs + "/suzu")
    // One writer for all of them, because each would cost a process.
    var script = ""
    for name in standIns {
      let word = name.split(separator: "/").last.map(String.init) ?? name
      script += "cat >'\(folder.path("bin/" + name))' <<'END'\n#!/bin/sh\n\(tells(word))END\n"
    }
    // The shell of the other machine splits the words again.
    script += "cat >'\(folder.path("bin/ssh"))' <<'END'\n#!/bin/sh\nshift\nexec sh -c \"$*\"\nEND\n"
    // An update that fails, for a crontab.
    script += "printf '#!/bin/sh\\nexit 100\\n' >'\(folder.path("bin/apt-get"))'\n"
    script += "cat >'\(folder.path("bin/now"))' <<'END'\n#!/bin/sh\n\(bringForward)\nEND\n"
    script += "cd '\(folder.path("bin"))' && chmod 755 * ../home/deploy\n"
    let written = try RunningProgram.run("/bin/sh", ["-e"], environment: ["PATH": "/usr/bin:/bin"], input: script)
    #expect(written.status == 0, "\(written.errors)")
    for (id, name, program, action) in [
      ("firefox", "Firefox", "firefox", "new-window"),
      ("org.gnome.Calendar", "Calendar", "gnome-calendar", "new-event"),
    ] {
      let title = action.split(separator: "-").map(\.capitalized).joined(separator: " ")
      try folder.write(
        """
        [Desktop Entry]
        Type=Application
        Name=\(name)
        Exec=\(program)
        Actions=\(action);
        [Desktop Action \(action)]
        Name=\(title)
        Exec=\(program) --\(action)
        """, to: "share/applications/\(id).desktop")
    }
    for (name, text) in effect.files { try folder.write(text, to: "home/" + name) }
  }

  /// Requests for later, sent again without their times.
  private static let bringForward = """
    suzu list --json | jq '[.[]
      | {app, id, title, subtitle, body, icon, badge, sound, style, level, url, category, actions, userInfo, nag, escalate, max}
      | with_entries(select(.value != null))]' | suzu notify --file - >/dev/null
    """

  // MARK: The recipe

  mutating func perform() async throws {
    switch recipe.language {
    case "json": break
    default: try await performOnce()
    }
    for step in effect.after { try await take(step, nil) }
  }

  /// A center waits for a bus that has gone, which would take long for a hundred of them.
  func end() {
    if let process = try? session.process(of: "dev.suzu.Center") { kill(process, SIGTERM) }
  }

  private mutating func performOnce() async throws {
    let monitor = try effect.during.contains { if case .answered = $0 { true } else { false } } ? monitor() : nil
    let console = recipe.language == "console" ? ConsoleSession(recipe.text) : nil
    let program = try start(console?.script ?? recipe.text, in: recipe.language)
    for step in effect.during { try await take(step, program, monitor) }
    let status = try await offPool { program.waitForExit(within: 20) }
    var lines: [String] = []
    while let line = try await program.line() { lines.append(line) }
    if let console { return console.check(lines, varying: effect.varying) }
    #expect(status == effect.status, "\(program.errors)")
    Self.expect(lines.joined(separator: "\n"), effect.prints)
    Self.expect(program.errors, effect.complains)
  }

  private static func expect(_ text: String, _ pattern: String) {
    let text = text.hasSuffix("\n") ? String(text.dropLast()) : text
    let expression = try? Regex("(?s)" + pattern)
    #expect(expression != nil, "\(pattern)")
    #expect(expression.map { text.wholeMatch(of: $0) != nil } == true, "\(text)\n  is not\n\(pattern)")
  }

  private func start(_ text: String, in language: String) throws -> RunningProgram {
    let file = try session.folder.write(text, to: "recipe")
    let command =
      switch language {
      case "python": "exec python3 \"$1\""
      case "swift": try SwiftRecipe.build(file, in: session.folder)
      case "bash": "exec bash -e \"$1\""
      case "console": ConsoleSession.command
      case "crontab": Crontab.command
      default: "exec sh -e \"$1\""
      }
    let words = ["/bin/sh", "-c", "cd && \(command)", "sh", file]
    if effect.isWithoutDesktop {
      let path = language == "crontab" ? Crontab.path : "/usr/local/bin:" + Crontab.path
      return try RunningProgram(
        "bwrap", try Crontab.surroundings(of: session, path: path) + words, environment: ["PATH": Crontab.path])
    }
    return try RunningProgram(words[0], Array(words.dropFirst()), environment: session.environment)
  }

  private func run(_ text: String) async throws -> (status: Int32, output: String, errors: String) {
    let environment = session.environment
    return try await offPool {
      try RunningProgram.run("/bin/sh", ["-c", "cd\n" + text], environment: environment)
    }
  }

  // MARK: Steps

  private mutating func take(
    _ step: Effect.Step, _ program: RunningProgram?, _ monitor: RunningProgram? = nil
  ) async throws {
    switch step {
    case .posted(let titles):
      let posted = try await #require(server).posted.next(titles.count, within: .seconds(15))
      #expect(posted.map(\.summary).sorted() == titles.sorted())
      for one in posted { shown[one.summary] = one }
    case .latest(let title, let pattern):
      let expression = try Regex("(?s)" + pattern)
      var posted: ScriptedServer.Posted
      repeat {
        posted = try await #require(server).posted.next(within: .seconds(15))
        #expect(posted.summary == title)
      } while Self.text(of: posted).wholeMatch(of: expression) == nil
      shown[title] = posted
    case .shown(let title, let pattern):
      Self.expect(Self.text(of: try #require(shown[title], "\(title)")), pattern)
    case .press(let title, let key):
      try await #require(server).press(try #require(shown[title], "\(title)").number, key)
    case .chosen(let title, let key, let outcome):
      let (monitor, watch) = (try self.monitor(), try session.start("watch", "--json"))
      let watches = try await offPool { Self.awaitAnswer(to: "Watch", in: monitor) }
      #expect(watches)
      try await take(.press(title, key), program)
      let lines = try await offPool { watch.readLines(until: "\"outcome\":\"\(outcome)\"") }
      #expect(lines != nil)
      watch.kill()
    case .ran(let line):
      let witness = witness
      let said = try await offPool { witness.readLine() }
      #expect(said == line)
    case .line(let pattern):
      Self.expect(try #require(try await program?.line()), pattern)
    case .answered(let method):
      let monitor = try #require(monitor)
      let isAnswered = try await offPool { Self.awaitAnswer(to: method, in: monitor) }
      #expect(isAnswered, "\(method)")
    // Sent to the whole process group, as a terminal does.
    case .interrupt: #expect(kill(-(try #require(program)).processID, SIGINT) == 0)
    case .terminate: #expect(kill(-(try #require(program)).processID, SIGTERM) == 0)
    case .unlock: try await #require(lock).unlock()
    case .spoken(let text):
      let speech = try #require(speech)
      let spoken = try await offPool { speech.next(1) }
      #expect(spoken == [text])
    case .shell(let line, let pattern):
      let ended = try await run(line)
      #expect(ended.status == 0, "\(line): \(ended.errors)")
      #expect(ended.output.contains(try Regex(pattern)), "\(line): \(ended.output)")
    case .again: try await performOnce()
    }
  }

  /// The notification as the user would see it.
  private static func text(of posted: ScriptedServer.Posted) -> String {
    let labels = stride(from: 1, to: posted.actions.count, by: 2).map { posted.actions[$0] }
    let hints = ["urgency", "value"].compactMap { name in posted.hints[name].map { "\(name) \($0)" } }
    return ([posted.summary, posted.body] + labels + hints + [posted.icon]).joined(separator: "|")
  }

  private func monitor() throws -> RunningProgram {
    let monitor = try RunningProgram(
      "dbus-monitor", ["--session", "type='method_call',interface='dev.suzu.Center1'", "type='method_return'"],
      environment: session.environment)
    #expect(monitor.readLines(until: "NameLost") != nil)
    return monitor
  }

  private static func awaitAnswer(to method: String, in monitor: RunningProgram) -> Bool {
    guard let call = monitor.readLines(until: "member=\(method)")?.last,
      let parts = call.firstMatch(of: /sender=(\S+) .* serial=(\d+)/)
    else { return false }
    while let line = monitor.readLines(until: "method return")?.last {
      if line.contains("destination=\(parts.1) "), line.hasSuffix("reply_serial=\(parts.2)") { return true }
    }
    return false
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Suzu
import TestSupport

/// A session in which the programs of `Examples` run, with the real center, and a notification server that behaves like
/// Plasma. What programs print that a click has started, and the URLs that are opened, are lines of ``started``.
final class ExampleStage: Sendable {
  let session: Session
  let server: ScriptedServer
  /// Calls the center beside the programs.
  let center: Center
  let started: RunningProgram
  private let outcomes = Inbox<Outcome>()

  /// Runs a test's body.
  ///
  /// - Parameters:
  ///   - example: the example whose desktop entry and service file are installed.
  ///   - program: the program that they start.
  ///   - variables: additional environment variables.
  ///   - folder: the folder of the session.
  static func run(
    _ example: String, starting program: String, variables: [String: String] = [:], in folder: TemporaryFolder? = nil,
    _ body: @Sendable (ExampleStage) async throws -> Void
  ) async throws {
    let folder = try folder ?? TemporaryFolder()
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let usual = [
      "PATH": folder.path("bin") + ":" + path, "XDG_DATA_DIRS": folder.path("none"),
      // The machine's logind must not decide whether this session is locked.
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + folder.path("none"),
    ]
    try prepare(folder)
    try install(example, starting: program, in: folder)
    let session = try Session(variables: usual.merging(variables) { $1 }, in: folder)
    let started = try session.witness()
    let server = try await ScriptedServer.start(like: .plasma6, on: session.bus)
    let stage = ExampleStage(session, server, try await Center.connect(toBus: session.bus.address), started)
    let news = try await stage.center.events()
    let reading = Task {
      for await event in news { if case .outcome(_, let outcome) = event { stage.outcomes.put(outcome) } }
    }
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body(stage)) } catch { outcome = .failure(error) }
    await stage.center.close()
    await reading.value
    await server.die()
    try outcome.get()
  }

  private init(_ session: Session, _ server: ScriptedServer, _ center: Center, _ started: RunningProgram) {
    self.session = session
    self.server = server
    self.center = center
    self.started = started
  }

  /// Writes what a desktop has: a program that opens URLs, a terminal, and a program for lists.
  private static func prepare(_ folder: TemporaryFolder) throws {
    let witness = folder.path("witness")
    try folder.write("#!/bin/sh\nprintf 'opened %s\\n' \"$*\" >'\(witness)'\n", to: "bin/xdg-open", executable: true)
    try folder.write("#!/bin/sh\nexec \"$@\" >'\(witness)' 2>&1\n", to: "bin/xdg-terminal-exec", executable: true)
    try folder.write(
      """
      #!/bin/sh
      # A number and a label are a row: chooses the row with the label of the file.
      exec awk -v wanted="$(cat '\(folder.path("choice"))')" \\
        'NR % 2 { number = $0; next } index($0, wanted) { print number; exit }'
      """, to: "bin/zenity", executable: true)
  }

  private static func install(_ example: String, starting program: String, in folder: TemporaryFolder) throws {
    let installed = try folder.write(
      "#!/bin/sh\nexec stdbuf -oL '\(path(of: program))' \"$@\" >'\(folder.path("witness"))' 2>&1\n",
      to: "bin/" + program, executable: true)
    let source = Session.checkout.appending(path: "Examples/" + example)
    for name in try FileManager.default.contentsOfDirectory(atPath: source.path) {
      let target: String
      switch (name as NSString).pathExtension {
      case "service": target = "services/"
      case "desktop": target = "home/.local/share/applications/"
      default: continue
      }
      let text = try String(contentsOf: source.appending(path: name), encoding: .utf8)
      try folder.write(text.replacing("@program@", with: installed), to: target + name)
    }
  }

  // MARK: Programs

  private static func path(of program: String) -> String { Session.programs + "/" + program }

  /// Runs a program until it ends by itself, without an error; returns its output.
  @discardableResult
  func run(_ program: String, _ arguments: String...) throws -> String {
    let ended = try RunningProgram.run(Self.path(of: program), arguments, environment: session.environment)
    guard ended.status == 0, ended.errors.isEmpty else {
      throw TestFailure("\(program) \(arguments): \(ended.status) \(ended.errors)")
    }
    return ended.output
  }

  /// Starts a program, whose lines can be read as it prints them.
  func start(_ program: String, _ arguments: String...) throws -> RunningProgram {
    try RunningProgram("stdbuf", ["-oL", Self.path(of: program)] + arguments, environment: session.environment)
  }

  // MARK: The user

  /// Presses the button with this label, or chooses it behind the last button.
  func choose(_ label: String, on popup: ScriptedServer.Popup) async throws {
    if let drawn = popup.buttons.first(where: { $0.hasSuffix(label) }) {
      return try await server.click(drawn, on: popup)
    }
    try session.folder.write(label, to: "choice")
    try await server.click("More…", on: popup)
  }

  /// The outcome of the next response.
  func outcome() async throws -> Outcome { try await outcomes.next(within: .seconds(40)) }

  /// The dates of the app's pending requests.
  func pending(_ app: AppID) async throws -> [String: Date] {
    var dates: [String: Date] = [:]
    for try await row in center.app(app).pendingRequests() { dates[row.id] = row.nextDate }
    return dates
  }
}

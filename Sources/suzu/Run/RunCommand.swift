// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import Glibc
internal import NotificationModel

extension Verb {
  static let run = Verb(
    name: RunCommand.name, synopsis: "[flags] -- COMMAND…", summary: "run a command, and notify when it has ended",
    flags: RunFlags.behaviour,
    groups: [FlagGroup("Looks, as of suzu notify", RunFlags.looks), FlagGroup("Other uses", RunFlags.otherUses)],
    words: [.file],
    notes: [
      "The command has the terminal, the input and the output of suzu run, and its exit status is that of suzu run.",
      "Output to a terminal is not kept. --keep all keeps it by a second terminal in between, in which full-screen",
      "programs do not work. A command that Ctrl-C ends is not notified.",
    ],
    examples: [
      "suzu run -- make -j4",
      "suzu run --over 1m --title Deploy -- ./deploy --all",
      "suzu run --progress -- make iso",
      "suzu run --hook bash >>~/.bashrc",
    ]
  ) { arguments, loop in
    try await RunCommand.run(arguments, on: loop)
  }
}

/// `suzu run`: from the command line to the end of the command.
struct RunCommand {
  static let name = "run"

  let arguments: Arguments
  /// The command and its arguments.
  let words: [String]
  private let over: Duration?
  private let kept: KeptStreams
  private let hasProgress: Bool
  private let looks: [String: PlainValue]
  private let title: String?
  /// Whether the standard input is the command's.
  var hasInput = true

  static func run(_ arguments: Arguments, on loop: EventLoop) async throws -> Int32 {
    for (name, needed) in [("skip", "hook"), ("status", "took")] where arguments.has(name) && !arguments.has(needed) {
      throw CommandError.usage("'--\(name)' needs '--\(needed)'")
    }
    let uses = ["hook", "again", "show", "took"].filter(arguments.has)
    if uses.count > 1 { throw CommandError.usage("'--\(uses[0])' and '--\(uses[1])' cannot be combined") }
    let environment = ChildProcess.inheritedEnvironment()
    if let shell = arguments.value("hook") {
      try arguments.refuseWords()
      Console.print(try ShellHook(shell, arguments).text)
      return EX_OK
    }
    if let id = arguments.value("show") {
      try arguments.refuseWords()
      let folder = try RunRecord.folder(environment: environment)
      Console.print(bytes: try RunRecord.output(id, in: folder))
      return EX_OK
    }
    if let id = arguments.value("again") {
      try arguments.refuseWords()
      return try await again(id, environment, on: loop)
    }
    let command = try RunCommand(arguments)
    return try await arguments.has("took") ? command.report(on: loop) : command.perform(on: loop)
  }

  init(_ arguments: Arguments) throws(CommandError) {
    self.arguments = arguments
    guard let words = arguments.wordsBehindDashes, let program = words.first else {
      let typed = arguments.words.first.map { CommandWords.quoted($0) + " …" } ?? "make"
      throw .usage(
        arguments.words.isEmpty
          ? "a command is missing; for example suzu run -- make" : "put -- before the command: suzu run -- \(typed)")
    }
    if program.isEmpty { throw .usage("the command's name is empty") }
    guard arguments.words.count == words.count else {
      throw .usage("unexpected argument '\(PrintableText.line(arguments.words[0], atMost: 60))' before '--'")
    }
    self.words = words
    over = try Self.duration("over", arguments)
    guard let kept = KeptStreams(rawValue: arguments.value("keep") ?? "auto") else {
      let typed = PrintableText.line(arguments.value("keep") ?? "", atMost: 60)
      throw .data("'--keep \(typed)' must be one of auto, all and none")
    }
    hasProgress = arguments.has("progress")
    if hasProgress, arguments.has("keep"), kept != .all {
      throw .usage("'--progress' reads the output, so it needs '--keep all'")
    }
    self.kept = hasProgress ? .all : kept
    title = arguments.value("title")
    looks = try Self.looks(arguments)
  }

  private static func duration(_ name: String, _ arguments: Arguments) throws(CommandError) -> Duration? {
    guard let text = arguments.value(name) else { return nil }
    if text == "0" { return .zero }
    do throws(RequestError) { return try Duration.parse(text) } catch {
      throw .data("'--\(name)' \(error.problem)")
    }
  }

  /// The keys of the flags of `suzu notify`. A mistake in them is told before the command runs.
  private static func looks(_ arguments: Arguments) throws(CommandError) -> [String: PlainValue] {
    var words = try NotifyCommand.words(arguments)
    for key in ["progress", "actions", "url"] { words[key] = nil }
    do throws(RequestError) {
      try TextChecks.check(words)
      _ = try NotificationRequest(words.merging(["title": .text("x")]) { $1 })
    } catch {
      throw .data(TypedKeys(arguments).text(error.description))
    }
    NotifyCommand.warnOfFiles(words, by: "run")
    return words
  }

  // MARK: Running

  private static func again(_ id: String, _ environment: [String: String], on loop: EventLoop) async throws -> Int32 {
    let record = try RunRecord(id, in: try RunRecord.folder(environment: environment))
    guard chdir(record.folder) == 0 else {
      throw CommandError(message: "\(record.folder): \(String(cString: strerror(errno)))", status: EX_NOINPUT)
    }
    setenv("PWD", record.folder, 1)
    if let path = record.path { setenv("PATH", path, 1) }
    var words = record.arguments
    // A button in the background has no terminal, but the details of the click as its input.
    let hasInput = isatty(STDIN_FILENO) == 1
    if !hasInput, !words.prefix(while: { $0 != "--" }).contains(where: { $0.hasPrefix("--keep") }) {
      words.insert("--keep=all", at: 0)
    }
    var command = try RunCommand(Arguments(words, flags: Verb.run.flags, of: Verb.run.name))
    command.hasInput = hasInput
    return try await command.perform(on: loop)
  }

  private func perform(on loop: EventLoop) async throws -> Int32 {
    let record = RunRecord(
      id: RunRecord.newID(), arguments: arguments.raw, folder: Self.workingFolder(),
      path: getenv("PATH").map { String(cString: $0) })
    var id = record.id
    if case .text(let given)? = looks["id"] { id = given }
    let center = RunCenter(id: id, progress: progressRequest, on: loop)
    let streams = OutputStreams(keeping: kept, on: loop)
    if hasProgress {
      if OtherUser.isPostponed {
        Console.warn("run", "no progress: the command runs as root, and its notifications are for another user")
      } else {
        streams.whenProgress = { center.show($0) }
      }
    }
    let start = EventLoop.Clock.monotonic.now
    let command = try RunningCommand(
      words, descriptors: streams.descriptors, hasInput: hasInput, on: loop)
    streams.begin(with: command)
    let ending = await command.ended()
    let time = EventLoop.Clock.monotonic.now - start
    if case .notStarted(let why, _) = ending { Console.complain("run: \(why)") }
    let output = await streams.finish()
    var report = RunReport(words: words, title: title, ending: ending, time: time, looks: looks)
    report.lastLine = output.lastLine
    report.folder = record.folder
    let isTold = await isTold(
      report, over: over ?? RunFlags.usualOver, wasInterrupted: command.wasInterrupted, on: loop)
    if isTold { addButtons(to: &report, record, output.kept) }
    await center.finish(isTold ? request(of: report) : nil)
    return end(ending)
  }

  private var progressRequest: [String: PlainValue] {
    var request = looks
    request["title"] = .text(RunReport.name(words, title: title))
    // It stays until the command has ended, and draws no attention.
    request["style"] = .text(NotificationRequest.Style.alert.rawValue)
    request["level"] = .text(NotificationRequest.Level.passive.rawValue)
    if request["icon"] == nil { request["icon"] = .text("utilities-terminal") }
    for key in ["sound", "expires"] { request[key] = nil }
    return request
  }

  private func request(of report: RunReport) -> [String: PlainValue]? {
    do throws(CommandError) { try OtherUser.becomePostponed() } catch {
      Console.warn("run", "no notification: \(error.message)")
      return nil
    }
    return report.request
  }

  private func isTold(
    _ report: RunReport, over: Duration, wasInterrupted: Bool, on loop: EventLoop
  ) async -> Bool {
    // Ctrl-C and Ctrl-\: the user knows.
    if wasInterrupted, [130, 131].contains(report.status) { return false }
    guard report.hasFailed || report.time >= over else { return false }
    guard arguments.has("away") else { return true }
    let focus = TerminalFocus(environment: ChildProcess.inheritedEnvironment(), loop: loop)
    return await focus.isInFront() != true
  }

  /// Ends as the command did, so that a shell says the same of both, and an enclosing loop ends with Ctrl-C.
  private func end(_ ending: RunningCommand.Ending) -> Int32 {
    switch ending {
    case .exited(let status), .notStarted(_, let status): return status
    case .signalled(let signal):
      // The command has left a core file, if it was to.
      var none = rlimit()
      setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
      Process.end(by: signal)
    }
  }

  private static func workingFolder() -> String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }

  // MARK: Buttons

  private func addButtons(to report: inout RunReport, _ record: RunRecord, _ output: KeptOutput?) {
    // The files would belong to root.
    if OtherUser.isPostponed { return }
    let folder: String
    do throws(CommandError) {
      folder = try RunRecord.folder(environment: ChildProcess.inheritedEnvironment())
      try record.write(output, to: folder)
    } catch {
      return Console.warn("run", "no buttons: \(error.message)")
    }
    report.buttons = .list(
      RunButtons(record: record, folder: folder, program: RunButtons.ownProgram, terminal: TerminalEmulator.words())
        .actions(hasOutput: output.map { $0.total > 0 } ?? false, isInTerminal: isatty(STDIN_FILENO) == 1)
        .map { .dictionary($0.words) })
  }

  // MARK: Reporting

  /// Notifies about a command that a shell has run.
  private func report(on loop: EventLoop) async throws -> Int32 {
    guard let time = try Self.duration("took", arguments) else { return EX_USAGE }
    let typed = arguments.value("status") ?? "0"
    guard let status = Int32(typed), 0...255 ~= status else {
      throw CommandError.data("'--status \(PrintableText.line(typed, atMost: 60))' must be a number from 0 to 255")
    }
    let ending: RunningCommand.Ending = 129...159 ~= status ? .signalled(status - 128) : .exited(status)
    // A shell has the command as one line.
    let title = title ?? words.joined(separator: " ")
    var report = RunReport(words: words, title: title, ending: ending, time: time, looks: looks)
    report.folder = Self.workingFolder()
    // A shell calls this for what it takes to be long.
    guard await isTold(report, over: over ?? .zero, wasInterrupted: true, on: loop) else { return EX_OK }
    var id = RunRecord.newID()
    if case .text(let given)? = looks["id"] { id = given }
    await RunCenter(id: id, progress: [:], on: loop).finish(request(of: report))
    return EX_OK
  }
}

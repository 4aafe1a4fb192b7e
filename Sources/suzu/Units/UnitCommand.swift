// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Freedesktop
internal import Glibc
internal import NotificationModel

extension Verb {
  static let unit = Verb(
    name: "unit", synopsis: "UNIT [--system] [flags]", summary: "notify how a systemd unit has ended",
    flags: [
      Flag("system", nil, "name a unit of the system; as root, every user that may read the journal is notified"),
      Flag(
        "mute", "DURATION", "set how long the button Mute mutes (default: \(UnitReport.usualMute.text))"),
    ],
    notes: [
      "The service suzu-notify@.service calls it: add OnFailure=suzu-notify@%n.service to a unit. systemd passes the",
      "result in MONITOR_SERVICE_RESULT and MONITOR_EXIT_STATUS; without these, the command asks the service manager.",
      "Root notifies the users in SUZU_USERS, if it is set.",
    ],
    examples: [
      "suzu unit backup.service",
      "MONITOR_SERVICE_RESULT=success suzu unit backup.service",
    ]
  ) { arguments, loop in
    try await UnitCommand(arguments).run(on: loop)
  }
}

/// `suzu unit`: tells the user, or as root the users, how a unit has ended.
struct UnitCommand {
  private let unit: String
  private let isSystem: Bool
  private let mute: Duration
  private let environment: [String: String]

  init(
    _ arguments: Arguments, environment: [String: String] = ChildProcess.inheritedEnvironment()
  ) throws(CommandError) {
    try arguments.refuseWords(after: 1)
    guard let unit = arguments.words.first else { throw .usage("the name of a unit is missing") }
    guard UnitReport.isName(unit) else {
      throw .data("'\(PrintableText.line(unit, atMost: 60))' is not the name of a unit, such as backup.service")
    }
    self.unit = unit
    isSystem = arguments.has("system")
    self.environment = environment
    do throws(RequestError) {
      mute =
        try arguments.value("mute").map { text throws(RequestError) in try Duration.parse(text) }
        ?? UnitReport.usualMute
    } catch {
      throw .data("'--mute' \(error.problem)")
    }
  }

  func run(on loop: EventLoop) async throws -> Int32 {
    if isSystem, geteuid() == 0, OtherUser.name == nil, environment["DBUS_SESSION_BUS_ADDRESS"] == nil {
      return try await tellUsers(on: loop)
    }
    // systemd says it in the environment, unless two dependencies lead here, such as OnFailure= and OnSuccess=.
    var result = UnitResult(environment: environment)
    if result == nil { result = await askedResult(on: loop) }
    var report = UnitReport(unit: unit, isSystem: isSystem, result: result ?? UnitResult())
    report.mute = mute
    report.lastLine = await lastLine(of: result?.run, on: loop)
    report.terminal = TerminalEmulator.words()
    try await Center.connect(on: loop).notify(report.request)
    return EX_OK
  }

  /// The result that the service manager knows; nil if there is none.
  private func askedResult(on loop: EventLoop) async -> UnitResult? {
    let words =
      ["systemctl"] + (isSystem ? [] : ["--user"]) + ["show"] + UnitResult.properties.map { "--property=\($0)" }
      + ["--", unit]
    let answer = await ChildProcess.ask(ChildProcess.Command(words, limit: .seconds(5)), on: loop)
    guard case .exited(0, _) = answer.ending, let output = answer.output else { return nil }
    return UnitResult(shown: output)
  }

  /// What the processes of the unit have logged last; nil if nothing, or if the user may not read it.
  private func lastLine(of run: String?, on loop: EventLoop) async -> String? {
    var words = ["journalctl", "--quiet", "--lines=1", "--output=cat"]
    words.append(isSystem ? "_SYSTEMD_UNIT=\(unit)" : "_SYSTEMD_USER_UNIT=\(unit)")
    if !isSystem { words.insert("--user", at: 1) }
    // Of this run: an earlier one may have logged more.
    if let run, !run.isEmpty, run.allSatisfy(\.isHexDigit) {
      words.append("_SYSTEMD_INVOCATION_ID=\(run)")
    }
    let answer = await ChildProcess.ask(ChildProcess.Command(words, limit: .seconds(5)), on: loop)
    guard case .exited(0, _) = answer.ending, let output = answer.output else { return nil }
    var kept = KeptOutput(atMost: 16 << 10)
    kept.append(Array(output.utf8))
    return kept.lastLine
  }

  // MARK: As root

  private func tellUsers(on loop: EventLoop) async throws -> Int32 {
    let names = environment["SUZU_USERS"].map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    let users = names ?? JournalReaders.withSession()
    if users.isEmpty {
      Console.warn("unit", "no user with a session may read the journal, so no user is notified; see SUZU_USERS")
    }
    var status = EX_OK
    for user in users {
      let words = [
        RunButtons.ownProgram, "--user=\(user)", "unit", "--system", "--mute=\(mute.text)", "--", unit,
      ]
      let answer = await ChildProcess.run(ChildProcess.Command(words, limit: .seconds(20)), on: loop)
      guard case .exited(0, _) = answer else {
        if case .exited(let code, let line) = answer { Console.complain("unit: \(user): exit \(code): \(line)") }
        status = EX_UNAVAILABLE
        continue
      }
    }
    return status
  }
}

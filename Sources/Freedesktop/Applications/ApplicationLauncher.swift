// SPDX-License-Identifier: Apache-2.0
public import DBus
public import EventLoop
internal import Glibc
internal import SystemFiles

/// Launches applications by their desktop entries: over D-Bus if the entry asks for it, otherwise by command line.
public struct ApplicationLauncher: Sendable {
  /// The result of a launch.
  public enum Ending: Hashable, Sendable {
    /// The application was activated over D-Bus, or its program runs.
    case launched
    /// There is no entry with that id.
    case notInstalled(String)
    /// The entry has no such action.
    case noSuchAction(String)
    /// The entry cannot be launched.
    case invalid(String)
    /// The launch failed.
    case failed(String)
  }

  /// A program that ends with an error within this time counts as a failed launch.
  static let usualWaitLimit: Duration = .seconds(2)

  /// The entries.
  public var applications: InstalledApplications
  /// How long to watch for a program that fails at once.
  public var waitLimit = usualWaitLimit
  private let environment: [String: String]
  private var programs: ProgramSearch { ProgramSearch(path: environment["PATH"]) }

  /// Takes folders, programs and languages from `environment`, which launched programs inherit.
  public init(environment: [String: String] = ChildProcess.inheritedEnvironment()) {
    self.environment = environment.filter { !Self.ownVariables.contains($0.key) }
    applications = InstalledApplications(environment: environment)
  }

  /// Launches the application, or one of its actions, to open `urls`; the token lets it raise its window.
  ///
  /// `connection` is a session bus connection; its loop watches the started programs.
  public func launch(
    _ id: String, action: String? = nil, urls: [String] = [], activationToken: String? = nil, on connection: Connection
  ) async -> Ending {
    do throws(DesktopEntryError) {
      guard let entry = try applications.entry(id) else { return .notInstalled(id) }
      return try await launch(entry, id, action, urls, activationToken, connection)
    } catch {
      return error.code == .notOpenable ? .failed(error.description) : .invalid(error.description)
    }
  }

  private func launch(
    _ entry: DesktopEntry, _ id: String, _ action: String?, _ urls: [String], _ token: String?,
    _ connection: Connection
  ) async throws(DesktopEntryError) -> Ending {
    guard entry.isApplication else { return .invalid("'\(id)' is a '\(entry.type)', not an application") }
    var exec = entry.exec
    if let action {
      guard let described = entry.actions.first(where: { $0.id == action }) else { return .noSuchAction(action) }
      exec = described.exec
    }
    for url in urls { _ = try OpenableURL(url) }
    if let program = entry.tryExec, !program.isEmpty, programs.path(of: program) == nil {
      return .failed("'\(id)' is not fully installed: there is no program '\(program)'")
    }
    var busError: CallError?
    if entry.isBusActivatable, let application = BusApplication(id) {
      do throws(CallError) {
        try await Self.ask(application, action, urls, token, connection)
        return .launched
      } catch {
        guard error.meansNoApplication else { return .failed("\(application.name): \(error)") }
        busError = error
      }
    }
    guard let exec else {
      return busError.map { .failed("\($0)") } ?? .invalid("'\(id)' does not say how to launch it")
    }
    return try await start(exec, of: entry, id, urls, token, connection)
  }

  private static func ask(
    _ application: BusApplication, _ action: String?, _ urls: [String], _ token: String?, _ connection: Connection
  ) async throws(CallError) {
    if let action {
      try await application.activateAction(action, activationToken: token, on: connection)
    } else if urls.isEmpty {
      try await application.activate(activationToken: token, on: connection)
    } else {
      let openable = urls.compactMap { try? OpenableURL($0).url }
      try await application.open(openable, activationToken: token, on: connection)
    }
  }

  // MARK: The command line

  private func start(
    _ exec: String, of entry: DesktopEntry, _ id: String, _ urls: [String], _ token: String?, _ connection: Connection
  ) async throws(DesktopEntryError) -> Ending {
    let languages = MessageLanguages(environment: environment)
    let name = entry.name?.text(in: languages)
    let subject = ExecLine.Subject(icon: entry.icon?.text(in: languages), name: name, path: entry.path)
    let commands = try ExecLine(exec).commands(opening: urls, for: subject)
    let folder = try folder(for: entry)
    for words in commands {
      var words = words
      guard let program = programs.path(of: words[0]) else {
        return .failed("'\(id)' is not fully installed: there is no program '\(words[0])'")
      }
      words[0] = program
      if entry.needsTerminal {
        guard let terminal else {
          return .failed("'\(id)' needs a terminal; install one that has 'xdg-terminal-exec' or 'x-terminal-emulator'")
        }
        words = terminal + words
      }
      var command = ChildProcess.Command(words, environment: environment, waitLimit: waitLimit)
      command.withheld = Self.ownVariables
      command.folder = folder
      if let token {
        command.environment["XDG_ACTIVATION_TOKEN"] = token
        command.environment["DESKTOP_STARTUP_ID"] = token
      }
      let scope = ProgramScope(of: InstalledApplications.id(of: id) ?? id, description: name)
      if let reason = await run(command, in: scope, connection) { return .failed("'\(id)': \(reason)") }
    }
    return .launched
  }

  /// Runs the command; returns the reason if it failed, nil if it runs or has already ended successfully.
  private func run(_ command: ChildProcess.Command, in scope: ProgramScope, _ connection: Connection) async -> String? {
    let (started, numbers) = AsyncStream<Int32>.makeStream()
    var command = command
    command.whenStarted = { numbers.yield($0) }
    let watched = command
    let ending = await withTaskExecutorPreference(connection.loop) {
      async let move: Void = { for await number in started { await scope.take(number, on: connection) } }()
      let ending = await ChildProcess.run(watched, on: connection.loop)
      numbers.finish()
      await move
      return ending
    }
    return switch ending {
    case .running, .exited(0, _), .timedOut: nil
    case .exited(let status, _): "it ended at once, with exit \(status)"
    case .signalled(let signal): "it ended at once, by signal \(signal)"
    case .notStarted(let why): why
    }
  }

  /// The entry's working folder; the home folder if the entry names none.
  private func folder(for entry: DesktopEntry) throws(DesktopEntryError) -> String? {
    guard let path = entry.workingFolder, !path.isEmpty else {
      return environment["HOME"].flatMap { $0.hasPrefix("/") && access($0, X_OK) == 0 ? $0 : nil }
    }
    guard path.hasPrefix("/"), FileStatus.isFolder(path), access(path, X_OK) == 0 else {
      throw DesktopEntryError(.malformed, "its 'Path' is not an accessible folder", path: entry.path ?? "")
    }
    return path
  }

  /// The command that runs another command in a terminal, the user's choice first; nil if there is none.
  private var terminal: [String]? {
    TerminalEmulator.words(programs: programs).flatMap { words in
      programs.path(of: words[0]).map { [$0] + words.dropFirst() }
    }
  }

  /// Variables that systemd and the bus set for this process only.
  private static let ownVariables: Set<String> = [
    "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PIDFDID",
    "INVOCATION_ID", "JOURNAL_STREAM", "MANAGERPID", "MANAGERPIDFDID", "SYSTEMD_EXEC_PID", "MEMORY_PRESSURE_WATCH",
    "MEMORY_PRESSURE_WRITE", "DBUS_STARTER_ADDRESS", "DBUS_STARTER_BUS_TYPE", "XDG_ACTIVATION_TOKEN",
    "DESKTOP_STARTUP_ID",
  ]
}

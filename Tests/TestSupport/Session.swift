// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import TestStage

/// A user session in a folder: a bus that starts our center, the built programs, and a browser that records the URLs it
/// is asked to open.
public final class Session: Sendable {
  /// The user's bus.
  public let bus: PrivateBus
  /// The session's files, including the home.
  package let folder: TemporaryFolder
  /// The environment of the programs.
  public let environment: [String: String]

  /// The folder of the built programs: beside the tests, or that of another build, which `SUZU_PROGRAMS` names.
  public static let programs =
    ProcessInfo.processInfo.environment["SUZU_PROGRAMS"]
    ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
  /// The checkout.
  public static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Starts only the bus.
  ///
  /// - Parameters:
  ///   - hasCenter: whether the bus knows how to start the center.
  ///   - services: other services that the bus can start.
  ///   - variables: additional environment variables.
  ///   - folder: a prepared folder.
  package init(
    hasCenter: Bool = true, services: [String: String] = [:], variables: [String: String] = [:],
    in folder: TemporaryFolder? = nil
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    if folder.read("browser") == nil { try Self.makeWitness(in: folder) }
    var services = services
    if hasCenter { services["dev.suzu.Center"] = folder.path("suzud") }
    // Without a desktop, xdg-open uses BROWSER.
    var all = [
      "BROWSER": folder.path("browser"), "TZ": "UTC",
      // Otherwise the center would start a speech server that outlives the test.
      "SPEECHD_ADDRESS": "unix_socket:" + folder.path("speech-socket"),
    ]
    all.merge(variables) { $1 }
    bus = try PrivateBus(services: services, environment: all, in: folder)
    environment = bus.environment.merging(all) { $1 }
  }

  private static func makeWitness(in folder: TemporaryFolder) throws {
    // The link has a path without blanks, even if the checkout's path has some.
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("suzud"), withDestinationPath: programs + "/suzud")
    mkfifo(folder.path("witness"), 0o600)
    try folder.write(
      "#!/bin/sh\nprintf 'opened %s\\n' \"$*\" >'\(folder.path("witness"))'\n", to: "browser", executable: true)
  }

  /// Reads the lines that the browser and test scripts write to the pipe `witness`.
  package func witness() throws -> RunningProgram {
    // Open for reading and writing, so that it does not end with the first writer.
    try RunningProgram("/bin/sh", ["-c", "exec cat <>'\(folder.path("witness"))'"], environment: environment)
  }

  /// Runs `suzu` and waits for its end.
  public func suzu(_ arguments: String..., input: String = "") throws -> (status: Int32, output: String, errors: String)
  {
    try RunningProgram.run(Self.programs + "/suzu", arguments, environment: environment, input: input)
  }

  /// Runs `suzu` with a list of arguments.
  public func suzu(_ words: [String], input: String = "") throws -> (status: Int32, output: String, errors: String) {
    try RunningProgram.run(Self.programs + "/suzu", words, environment: environment, input: input)
  }

  /// Starts `suzu`.
  package func start(_ arguments: String...) throws -> RunningProgram {
    try RunningProgram(Self.programs + "/suzu", arguments, environment: environment)
  }

  /// Starts `suzu watch`, and returns once the center has been asked to send events: it handles calls in the order in
  /// which the bus received them.
  package func startWatch(_ arguments: String...) throws -> RunningProgram {
    let monitor = try RunningProgram(
      "dbus-monitor", ["--session", "interface='dev.suzu.Center1',member='Watch'"], environment: environment)
    defer { monitor.kill() }
    // The bus takes the monitor's own name away when it begins to watch.
    guard monitor.readLines(until: "member=NameLost") != nil else { throw TestFailure("dbus-monitor watches nothing") }
    let watch = try RunningProgram(Self.programs + "/suzu", ["watch"] + arguments, environment: environment)
    guard monitor.readLines(until: "member=Watch") != nil else { throw TestFailure("suzu watch does not watch") }
    return watch
  }

  /// Starts the center directly.
  package func startCenter() throws -> RunningProgram {
    try RunningProgram(Self.programs + "/suzud", environment: environment)
  }

  /// Runs a program in the session.
  public func run(_ program: String, _ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
    try RunningProgram.run(program, arguments, environment: environment)
  }

  /// Waits for the bus to report an owner of `name`.
  public func awaitOwner(of name: String) throws -> Bool {
    let waiting = try RunningProgram("gdbus", ["wait", "--session", "--timeout", "10", name], environment: environment)
    return waiting.waitForExit(within: 15) == 0
  }

  /// The process id of a name's owner.
  public func process(of name: String) throws -> Int32? {
    let answer = try run(
      "dbus-send", "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
      "org.freedesktop.DBus.GetConnectionUnixProcessID", "string:\(name)")
    return answer.output.split(separator: " ").last.flatMap { Int32($0.filter(\.isNumber)) }
  }
}

extension RunningProgram {
  /// Writes a line.
  package func say(_ line: String) { write(line + "\n") }
}

// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A user's session in a folder: a bus that starts our center, the programs as they were built, a browser that writes
/// down what it is asked to open.
public final class Session: Sendable {
  /// The user's bus.
  public let bus: PrivateBus
  /// Its files, the home among them.
  public let folder: TemporaryFolder
  /// What the programs see.
  public let environment: [String: String]

  /// Where the programs are: beside the tests.
  public static let programs = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
  /// The checkout.
  public static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Starts the bus, and nothing else.
  ///
  /// - Parameters:
  ///   - hasCenter: whether the bus knows how to start the center.
  ///   - services: what else it can start.
  ///   - variables: what the programs see besides.
  ///   - folder: where, if something had to be there before.
  public init(
    hasCenter: Bool = true, services: [String: String] = [:], variables: [String: String] = [:],
    in folder: TemporaryFolder? = nil
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    if folder.read("browser") == nil { try Self.makeWitness(in: folder) }
    var services = services
    if hasCenter { services["dev.suzu.Center"] = folder.path("suzud") }
    // xdg-open finds no desktop here, and takes BROWSER.
    var all = ["BROWSER": folder.path("browser"), "TZ": "UTC"]
    all.merge(variables) { $1 }
    bus = try PrivateBus(services: services, environment: all, in: folder)
    environment = bus.environment.merging(all) { $1 }
  }

  private static func makeWitness(in folder: TemporaryFolder) throws {
    // A link has a path without blanks, whatever the checkout's is.
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("suzud"), withDestinationPath: programs + "/suzud")
    mkfifo(folder.path("witness"), 0o600)
    try folder.write(
      "#!/bin/sh\nprintf 'opened %s\\n' \"$*\" >'\(folder.path("witness"))'\n", to: "browser", executable: true)
  }

  /// The lines that the browser and the tests' own scripts write into the pipe `witness`.
  public func witness() throws -> RunningProgram {
    // Opened for both, so that it does not end with the first writer.
    try RunningProgram("/bin/sh", ["-c", "exec cat <>'\(folder.path("witness"))'"], environment: environment)
  }

  /// Runs `suzu` to its end.
  public func suzu(_ arguments: String..., input: String = "") throws -> (status: Int32, output: String, errors: String)
  {
    try RunningProgram.run(Self.programs + "/suzu", arguments, environment: environment, input: input)
  }

  /// The same, of a list of words.
  public func suzu(_ words: [String], input: String = "") throws -> (status: Int32, output: String, errors: String) {
    try RunningProgram.run(Self.programs + "/suzu", words, environment: environment, input: input)
  }

  /// Starts `suzu`.
  public func start(_ arguments: String...) throws -> RunningProgram {
    try RunningProgram(Self.programs + "/suzu", arguments, environment: environment)
  }

  /// Starts the center by hand.
  public func startCenter() throws -> RunningProgram {
    try RunningProgram(Self.programs + "/suzud", environment: environment)
  }

  /// Runs anything in the session.
  public func run(_ program: String, _ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
    try RunningProgram.run(program, arguments, environment: environment)
  }

  /// Waits until somebody owns `name`; the bus tells.
  public func awaitOwner(of name: String) throws -> Bool {
    let waiting = try RunningProgram("gdbus", ["wait", "--session", "--timeout", "10", name], environment: environment)
    return waiting.waitForExit(within: 15) == 0
  }

  /// Who owns a name, as a process; the bus answers.
  public func process(of name: String) throws -> Int32? {
    let answer = try run(
      "dbus-send", "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
      "org.freedesktop.DBus.GetConnectionUnixProcessID", "string:\(name)")
    return answer.output.split(separator: " ").last.flatMap { Int32($0.filter(\.isNumber)) }
  }
}

extension RunningProgram {
  /// Writes a line.
  public func say(_ line: String) { write(line + "\n") }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A user's session in a folder: a bus that starts our center, the programs as they were built, a browser that writes
/// down what it is asked to open.
final class Session: Sendable {
  let bus: PrivateBus
  let folder: TemporaryFolder
  /// What the programs see.
  let environment: [String: String]

  /// Where the programs are: beside the tests.
  static let programs = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
  /// The checkout.
  static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// - Parameters:
  ///   - hasCenter: whether the bus knows how to start the center.
  ///   - services: what else it can start.
  ///   - variables: what the programs see besides.
  init(
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
  func witness() throws -> RunningProgram {
    // Opened for both, so that it does not end with the first writer.
    try RunningProgram("/bin/sh", ["-c", "exec cat <>'\(folder.path("witness"))'"], environment: environment)
  }

  /// Runs `suzu` to its end.
  func suzu(_ arguments: String..., input: String = "") throws -> (status: Int32, output: String, errors: String) {
    try RunningProgram.run(Self.programs + "/suzu", arguments, environment: environment, input: input)
  }

  /// Starts `suzu`.
  func start(_ arguments: String...) throws -> RunningProgram {
    try RunningProgram(Self.programs + "/suzu", arguments, environment: environment)
  }

  /// Starts the center by hand.
  func startCenter() throws -> RunningProgram {
    try RunningProgram(Self.programs + "/suzud", environment: environment)
  }

  /// Runs anything in the session.
  func run(_ program: String, _ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
    try RunningProgram.run(program, arguments, environment: environment)
  }

  /// Who owns a name, as a process; the bus answers.
  func process(of name: String) throws -> Int32? {
    let answer = try run(
      "dbus-send", "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
      "org.freedesktop.DBus.GetConnectionUnixProcessID", "string:\(name)")
    return answer.output.split(separator: " ").last.flatMap { Int32($0.filter(\.isNumber)) }
  }
}

extension RunningProgram {
  /// Writes a line.
  func say(_ line: String) { write(line + "\n") }
}

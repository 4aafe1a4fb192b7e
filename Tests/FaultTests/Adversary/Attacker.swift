// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A process that attacks, sandboxed or not. It builds the messages itself, so that this does not slow down honest
/// callers.
final class Attacker: Sendable {
  let caller: Attack.Caller
  /// The app of its sandbox; empty without one.
  private let app: String
  /// The attacks that it can play.
  let attacks: [Attack]
  private let program: RunningProgram

  /// The attacks in `SUZU_ADVERSARY_ATTACKS`, separated by semicolons, to play only these.
  static let chosen = ProcessInfo.processInfo.environment["SUZU_ADVERSARY_ATTACKS"]
    .map { Set($0.split(separator: ";").map(String.init)) }

  init(_ caller: Attack.Caller, _ app: String = "", on bus: PrivateBus, timeout: Int) async throws {
    (self.caller, self.app) = (caller, app)
    var words =
      ["/usr/bin/python3", "-B", Self.folder + "/player.py", caller.rawValue, app, bus.folder.path(""), "\(timeout)"]
    words += Traps.secrets
    if caller == .box {
      let info = try bus.folder.write("[Application]\nname=\(app)\n", to: app + ".info")
      words = Bubblewrap.words(bus.folder, info: info, ["--ro-bind", Self.folder, Self.folder]) + words
    }
    let program = try RunningProgram(words[0], Array(words.dropFirst()), environment: bus.environment)
    self.program = program
    guard let list = try await program.line() else { throw TestFailure("no list of attacks: \(program.errors)") }
    attacks = try JSONDecoder().decode([Attack].self, from: Data(list.utf8))
      .filter { $0.callers.contains(caller) && Self.chosen?.contains($0.name) != false }
  }

  /// The folder with its programs.
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Attacks").standardized
    .path

  /// The apps of sandboxes: each has its own quotas, so that one attack does not use up those of the next.
  static let boxes = (0..<6).map { "org.example.Boxed\($0)" }

  /// The answer to a command.
  func ask<Answer: Decodable & Sendable>(_ command: some Encodable, within seconds: Double = 240) async throws -> Answer
  {
    program.write(String(decoding: try JSONEncoder().encode(command), as: UTF8.self) + "\n")
    let line = try await offPool { [program] in program.readLine(within: seconds) }
    guard let line else { throw TestFailure("the attacker says nothing: \(program.errors)") }
    return try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
  }

  private struct Rest: Decodable { let faults: [String] }

  /// What takes libdbus long, in every program that receives it.
  enum Load: String, CaseIterable, Codable {
    /// The largest messages that the bus lets through, 60 MiB each.
    case largest
    /// 25 MB at once, in messages of 250 kB.
    case burst
  }

  /// Sends a load to another peer than the center.
  func send(_ load: Load, to peer: String) async throws {
    let faults = try await (ask(["send": load.rawValue, "to": peer]) as Rest).faults
    guard faults.isEmpty else { throw TestFailure("\(faults)") }
  }

  /// Cancels pending requests and dismisses shown ones; returns the errors.
  func tidy() async throws -> [String] { try await (ask(["tidy": true]) as Rest).faults }

  /// Whether all calls of `Register` were answered, now that no question is open.
  func questions() async throws -> [String] { try await (ask(["questions": true]) as Rest).faults }
}

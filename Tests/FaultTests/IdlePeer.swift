// SPDX-License-Identifier: Apache-2.0
import DBus
import TestSupport

/// A peer that is libdbus and nothing more. Its processor time for a message is what any program on libdbus takes for it.
struct IdlePeer {
  let program: RunningProgram
  let name: BusName

  init(on bus: PrivateBus) async throws {
    program = try RunningProgram(
      "/usr/bin/python3", ["-B", Attacker.folder + "/idle.py"], environment: bus.environment)
    guard let line = try await program.line(), let name = BusName(line) else {
      throw TestFailure("no idle peer: \(program.errors)")
    }
    self.name = name
  }
}

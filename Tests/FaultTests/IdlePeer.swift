// SPDX-License-Identifier: Apache-2.0
import DBus
import TestSupport

/// A peer that only runs libdbus. Its processor time for a message is the least that any program on libdbus needs.
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

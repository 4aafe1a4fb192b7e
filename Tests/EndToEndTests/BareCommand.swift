// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// The command `suzu` without a bus, a home and a user.
enum BareCommand {
  static func suzu(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> (status: Int32, output: String, errors: String) {
    try RunningProgram.run(Session.programs + "/suzu", arguments, environment: environment, input: input)
  }
}

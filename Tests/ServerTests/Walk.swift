// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Runs all checks on one server.
enum Walk {
  /// Runs every check, adds the results to the report, and returns what failed. A failure does not skip later checks.
  static func failures(on server: any Server) async throws -> [String] {
    // Slow checks run in parallel with the others: each has its own desktop.
    let checks = Check.all.map { usual in server.ownChecks.first { $0.name == usual.name } ?? usual }
    async let slow = offPool { checks.map { $0.isSlow ? ask($0, server) : nil } }
    async let quick = offPool { checks.map { $0.isSlow ? nil : ask($0, server) } }
    let answers = zip(try await slow, try await quick).map { $0 ?? $1 }
    var cells: [Report.Cell] = []
    var failures: [String] = []
    for (check, answer) in zip(checks, answers) {
      switch answer {
      case .success(let cell)?: cells.append(cell)
      case .failure(let error)?:
        failures.append("\(server.name), \(check.name): \(error)")
        cells.append(.wrong)
      case nil: failures.append("\(server.name), \(check.name): did not run")
      }
    }
    // The test's own expectation does not print what it awaited.
    for failure in failures { Issue.record("\(failure)") }
    try Report.add(server, cells)
    return failures
  }

  private static func ask(_ check: Check, _ server: any Server) -> Result<Report.Cell, any Error> {
    Result {
      switch check.feature(server.expected) {
      case .absent(let why): .absent(why)
      case .there: .seen(try check.run(try Desktop(server)), note: nil)
      case .noted(let note): .seen(try check.run(try Desktop(server)), note: note)
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestStage

/// Waiting for the end of the center, and for a text in the output of a command.
extension Session {
  /// Ends the center, and returns when its process has ended. Until then it may answer one call, and not the next.
  package func endCenter() throws {
    guard let center = try process(of: "dev.suzu.Center") else { throw TestFailure("there is no center to end") }
    kill(center, SIGTERM)
    let waiting = try RunningProgram(
      "tail", ["--pid=\(center)", "-s", "0.01", "-f", "/dev/null"], environment: environment)
    guard waiting.waitForExit(within: 30) == 0 else { throw TestFailure("the center does not end") }
  }

  /// Runs the command until its output contains a text.
  package func wait(within seconds: Double = 30, for text: String, in words: String...) throws {
    let end = Date(timeIntervalSinceNow: seconds)
    var output = ""
    repeat {
      guard Date() < end else { throw TestFailure("no '\(text)' in: \(output)") }
      output = try suzu(words).output
    } while !output.contains(text)
  }
}

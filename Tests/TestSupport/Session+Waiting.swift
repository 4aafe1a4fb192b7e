// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestStage

extension Session {
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

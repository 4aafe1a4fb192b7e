// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

extension Session {
  /// Runs the command until its output contains a text.
  func wait(within seconds: Double = 30, for text: String, in words: String...) throws {
    let end = Date(timeIntervalSinceNow: seconds)
    var output = ""
    repeat {
      guard Date() < end else { throw TestFailure("no '\(text)' in: \(output)") }
      output = try suzu(words).output
    } while !output.contains(text)
  }
}

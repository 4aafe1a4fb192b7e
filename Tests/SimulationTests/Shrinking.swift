// SPDX-License-Identifier: Apache-2.0

/// Makes a script that fails shorter: steps are removed while it still fails.
struct Shrinking {
  /// The shortest script that was found, and how it fails.
  private(set) var script: Script
  private(set) var difference: Difference
  private var runs = 0
  private static let mostRuns = 400

  /// - Parameter fails: how a script fails; nil if it does not.
  init(_ script: Script, _ difference: Difference, _ fails: (Script) throws -> Difference?) rethrows {
    self.script = script
    self.difference = difference
    // What comes later has no part in it.
    var short = script
    short.steps.removeAll { $0.at > difference.at }
    try take(short, fails)
    var size = max(1, self.script.steps.count / 2)
    while size >= 1 {
      var start = 0
      var isShorter = false
      while start < self.script.steps.count, runs < Self.mostRuns {
        var candidate = self.script
        candidate.steps.removeSubrange(start..<min(start + size, candidate.steps.count))
        if try take(candidate, fails) { isShorter = true } else { start += size }
      }
      if size == 1, !isShorter || runs >= Self.mostRuns { return }
      size = max(1, size / 2)
    }
  }

  @discardableResult
  private mutating func take(_ candidate: Script, _ fails: (Script) throws -> Difference?) rethrows -> Bool {
    runs += 1
    guard let difference = try fails(candidate) else { return false }
    (script, self.difference) = (candidate, difference)
    return true
  }
}

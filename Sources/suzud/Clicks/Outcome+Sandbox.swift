// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

extension Outcome {
  /// The outcome for a sandboxed program: how it ended, without any output of programs on the host.
  var forSandbox: Outcome {
    switch self {
    case .done, .unhandled, .waiting, .lapsed, .refused: self
    case .failed(let why): .failed(Self.withoutOutput(why))
    case .other(let text): text == "running" ? self : .other("other")
    }
  }

  /// Shortens 'exit 3: some output' to 'exit 3'; of other texts, only those of the center itself stay.
  private static func withoutOutput(_ why: String) -> String {
    let start = why.prefix { $0 != ":" }
    let words = start.split(separator: " ")
    if words.count == 2, ["exit", "signal"].contains(words[0]), Int(words[1]) != nil { return String(start) }
    return sayings.first { why.hasPrefix($0) } ?? "the user can see why"
  }

  private static let sayings = [
    "interrupted", "its request is gone", "there is no such action", "the app left the bus before it was done",
    "the app did not say within", "took longer than",
  ]
}

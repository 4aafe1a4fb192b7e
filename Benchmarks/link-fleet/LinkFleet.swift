// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc

/// Measures how one message of MQTT reaches a fleet of desktops, over one real mosquitto on this machine:
///
///     link-fleet DESKTOPS [--payloads N] [--silence SECONDS] [--forgetful]
///                                                               10, 100 … up to DESKTOPS; then faults with all of them
///     link-fleet desktops FOLDER FIRST COUNT [--forgetful]      some of the desktops; started by the first form
///
/// Each desktop is a link of `suzu-link`, with a file, a state and a session of its own: the folder `suzu-link` beside
/// this file leads to the sources of that program. Only the center behind it is simulated. The exit status is 1 if a
/// message was lost or shown twice. With `--forgetful`, the centers know no id again, so that this must happen.
@main enum LinkFleet {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    signal(SIGPIPE, SIG_IGN)
    // A socket for each desktop, and as many of libcurl and of the broker.
    DescriptorLimit.raise(keeping: 0)
    do {
      let loop = try EventLoop()
      if words.first == "desktops" {
        guard words.count >= 4, let first = Int(words[2]), let count = Int(words[3]) else { misused() }
        // Used on this thread only.
        nonisolated(unsafe) let desktops = try Desktops(
          first..<first + count, in: words[1], areForgetful: words.last == Self.forgetful, on: loop)
        loop.perform { desktops.start() }
        loop.run()
        return
      }
      guard let plan = FleetPlan(words) else { misused() }
      // The same holds here.
      nonisolated(unsafe) let trial = FleetTrial(plan, on: loop)
      loop.perform { loop.startLater { await trial.run() } }
      loop.run()
      exit(trial.isGood ? EXIT_SUCCESS : EXIT_FAILURE)
    } catch {
      say("link-fleet: \(error)")
      exit(EXIT_FAILURE)
    }
  }

  static let forgetful = "--forgetful"

  private static func misused() -> Never {
    say("usage: link-fleet DESKTOPS [--payloads N] [--silence SECONDS] [\(forgetful)]")
    exit(EX_USAGE)
  }
}

/// How many desktops, and what they get.
struct FleetPlan {
  /// How many desktops in each part of the trial.
  let sizes: [Int]
  /// How many messages are measured; nil for as many as give good figures.
  private let wanted: Int?
  /// After how many seconds without a byte a connection counts as dead. The usual 120 would make the trial long.
  private(set) var silence = 20
  private(set) var isForgetful = false

  init?(_ words: [String]) {
    guard let most = words.first.flatMap({ Int($0) }), (1...10_000).contains(most) else { return nil }
    sizes = [10, 100, 1000].filter { $0 < most } + [most]
    var wanted: Int?
    var rest = words.dropFirst()
    while let flag = rest.popFirst() {
      if flag == LinkFleet.forgetful {
        isForgetful = true
        continue
      }
      guard let value = rest.popFirst().flatMap({ Int($0) }), value > 0 else { return nil }
      switch flag {
      case "--payloads": wanted = value
      case "--silence" where (2...3600).contains(value): silence = value
      default: return nil
      }
    }
    self.wanted = wanted
  }

  func payloads(for desktops: Int) -> Int { wanted ?? max(30, min(200, 20_000 / desktops)) }
}

/// Prints a line at once, whole, also to a pipe.
func say(_ line: String) { _ = (line + "\n").withCString { write(STDOUT_FILENO, $0, strlen($0)) } }

/// Why the trial cannot go on.
struct FleetError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

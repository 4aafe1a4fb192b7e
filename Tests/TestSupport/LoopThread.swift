public import EventLoop
internal import Foundation
// SPDX-License-Identifier: Apache-2.0
internal import TestStage

/// The thread of an event loop, as the kernel sees it: whether it sleeps, and how often it fell asleep.
public struct LoopThread: Sendable {
  private let status: String

  /// The thread of this loop.
  public init(of loop: EventLoop) async {
    status = await withCheckedContinuation { continuation in
      loop.perform {
        let line = (try? String(contentsOfFile: "/proc/thread-self/stat", encoding: .utf8)) ?? ""
        continuation.resume(returning: "/proc/self/task/" + line.prefix { $0 != " " } + "/status")
      }
    }
  }

  /// How often the thread fell asleep; an idle loop does not wake up, and so does not fall asleep again.
  public var sleeps: Int {
    get throws {
      guard let number = Int(try value(of: "voluntary_ctxt_switches:")) else {
        throw TestFailure("no count in \(status)")
      }
      return number
    }
  }

  /// Waits until the thread is asleep after more than `count` times; returns how often it fell asleep.
  ///
  /// The kernel reports no event for that, so this polls up to the limit.
  public func whenAsleep(after count: Int = -1, within limit: Duration = .seconds(10)) throws -> Int {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
      let number = try sleeps
      if number > count, try value(of: "State:").hasPrefix("S") { return try sleeps }
      sched_yield()
    }
    throw TestFailure("the loop's thread did not fall asleep within \(limit)")
  }

  private func value(of key: String) throws -> String {
    let line = try String(contentsOfFile: status, encoding: .utf8).split(separator: "\n").first { $0.hasPrefix(key) }
    guard let line else { throw TestFailure("no '\(key)' in \(status)") }
    return line.dropFirst(key.count).trimmingCharacters(in: .whitespaces)
  }
}

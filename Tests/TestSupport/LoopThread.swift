// SPDX-License-Identifier: Apache-2.0
public import EventLoop
internal import Foundation
internal import TestStage

/// The thread of an event loop, as the kernel sees it: whether it waits, and what its timers wake it for.
public struct LoopThread: Sendable {
  /// The folder of the thread in /proc.
  private let folder: String

  /// The thread of this loop.
  public init(of loop: EventLoop) async {
    folder = await withCheckedContinuation { continuation in
      loop.perform {
        let line = (try? String(contentsOfFile: "/proc/thread-self/stat", encoding: .utf8)) ?? ""
        continuation.resume(returning: "/proc/self/task/" + line.prefix { $0 != " " })
      }
    }
  }

  /// Waits until the loop waits for events; returns after how long its nearest timer wakes it, nil if it has none.
  ///
  /// Without an event from outside, it does nothing for so long. The kernel reports no event when a thread begins to
  /// wait, so this polls up to the limit.
  public func rest(within limit: Duration = .seconds(10)) throws -> Duration? {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
      if let poll = try waitingPoll() { return try Self.nearestTimer(watchedBy: poll) }
      sched_yield()
    }
    throw TestFailure("the loop did not wait for events within \(limit)")
  }

  /// The number of the epoll instance for which the thread waits without a time limit; nil if it does anything else.
  private func waitingPoll() throws -> Int? {
    // 'running', or the number of the system call and its arguments: for epoll_wait the instance, …, the time limit.
    let call = try String(contentsOfFile: folder + "/syscall", encoding: .utf8).split(separator: " ")
    guard call.count > 4, let poll = Self.number(call[1]), let limit = Self.number(call[4]),
      Int32(truncatingIfNeeded: limit) == -1, let number = Int(exactly: poll),
      Self.information(number).contains(where: { $0.hasPrefix("tfd:") })
    else { return nil }
    return number
  }

  private static func nearestTimer(watchedBy poll: Int) throws -> Duration? {
    let descriptors = information(poll).compactMap { line -> Int? in
      line.hasPrefix("tfd:") ? Int(line.split(separator: " ")[1]) : nil
    }
    return descriptors.compactMap { descriptor -> Duration? in
      // it_value: (SECONDS, NANOSECONDS); both are 0 if it is not armed.
      guard let line = information(descriptor).first(where: { $0.hasPrefix("it_value:") }) else { return nil }
      let numbers = line.split { !$0.isNumber }.compactMap { Int64($0) }
      guard numbers.count == 2, numbers != [0, 0] else { return nil }
      return .seconds(numbers[0]) + .nanoseconds(numbers[1])
    }.min()
  }

  /// What the kernel says of a descriptor of this process.
  private static func information(_ descriptor: Int) -> [Substring] {
    let text = (try? String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8)) ?? ""
    return text.split(separator: "\n")
  }

  private static func number(_ text: Substring) -> UInt64? {
    text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : nil
  }
}

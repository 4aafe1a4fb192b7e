// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How long the main thread of a process has run, and how long it has waited for a processor, because attackers, the
/// bus and other programs use it.
struct ProcessorTimes: Sendable {
  var running: Duration = .zero
  var waiting: Duration = .zero

  static func - (later: Self, earlier: Self) -> Self {
    Self(running: later.running - earlier.running, waiting: later.waiting - earlier.waiting)
  }

  /// Counted by the kernel since the start of the process.
  static func of(_ processID: Int32) -> Self {
    let text = try? String(contentsOfFile: "/proc/\(processID)/schedstat", encoding: .utf8)
    let numbers = (text ?? "").split(separator: " ").compactMap { Int64($0) }
    guard numbers.count > 1 else { return Self() }
    return Self(running: .nanoseconds(numbers[0]), waiting: .nanoseconds(numbers[1]))
  }
}

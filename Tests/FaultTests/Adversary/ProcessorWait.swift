// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The time that the main thread of a process has waited for a processor, because attackers, the bus and other programs
/// use it.
struct ProcessorWait: Sendable {
  let processID: Int32

  /// Counted by the kernel since the start of the process.
  var total: Duration {
    let text = try? String(contentsOfFile: "/proc/\(processID)/schedstat", encoding: .utf8)
    let numbers = (text ?? "").split(separator: " ").compactMap { Int64($0) }
    return .nanoseconds(numbers.count > 1 ? numbers[1] : 0)
  }
}

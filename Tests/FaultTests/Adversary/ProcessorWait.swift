// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How long the main thread of a process has waited for a processor: attackers and the bus compete for those of the machine
/// as every program does, and that time is not the process's.
struct ProcessorWait: Sendable {
  let processID: Int32

  /// Since the process began; the kernel counts it.
  var total: Duration {
    let text = try? String(contentsOfFile: "/proc/\(processID)/schedstat", encoding: .utf8)
    let numbers = (text ?? "").split(separator: " ").compactMap { Int64($0) }
    return .nanoseconds(numbers.count > 1 ? numbers[1] : 0)
  }
}

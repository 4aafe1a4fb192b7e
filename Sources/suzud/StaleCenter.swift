// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import Scheduling

/// The center of a session that has ended, which still waits for its bus and holds the store that a new session's
/// center needs.
enum StaleCenter {
  /// The signal that asks it to end. A center whose bus is there ignores it.
  static let question = SIGUSR1
  /// How long it has to notice that its bus is gone, and to end.
  static let timeout: Duration = .seconds(1)

  /// Asks the process that holds the store to end, and returns whether it did. A center that still serves another
  /// session of this user does not end; a process that is not a center is not asked.
  static func makesWay(holding folder: String, on loop: EventLoop) async -> Bool {
    // The handle is opened before the check: the number cannot be reused as long as the handle's process has not ended.
    guard let number = Store.holder(of: folder), let handle = ProcessHandle(number),
      name(of: number) == name(of: getpid()), !handle.hasEnded, handle.send(question)
    else { return false }
    return await loop.awaitEnd(of: handle, within: timeout)
  }

  private static func name(of process: Int32) -> String? {
    guard let file = fopen("/proc/\(process)/comm", "re") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    return String(decoding: line.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
  }
}

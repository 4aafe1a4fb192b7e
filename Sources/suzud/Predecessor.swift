// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import Scheduling

/// The center of a session that has ended, which still waits for its bus while the next session's wants the store.
struct Predecessor {
  /// What asks it: a center whose bus is there does not listen.
  static let question = SIGUSR1
  /// How long it has to hear that its bus is gone, and to end.
  static let patience: Duration = .seconds(1)
  private let processID: Int32

  /// Whoever holds the store in a folder; nil where nobody does, or somebody who would not understand the question.
  init?(holding folder: String) {
    guard let holder = Store.holder(of: folder), Self.name(of: holder) == Self.name(of: getpid()) else { return nil }
    processID = holder
  }

  /// Whether it has made way. One that works on, in another session of this user, does not.
  func makesWay(on loop: EventLoop) async -> Bool {
    // Held before it is asked: its number may be another's by then.
    guard let handle = ProcessHandle(processID), kill(processID, Self.question) == 0 else { return false }
    return await loop.awaitEnd(of: handle, within: Self.patience)
  }

  private static func name(of process: Int32) -> String? {
    guard let file = fopen("/proc/\(process)/comm", "re") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    return String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

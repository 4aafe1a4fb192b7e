// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import SystemFiles

/// Ends the loop's wait from any thread.
final class WakeUp: Sendable {
  private let event: Descriptor

  init() throws(EventLoopError) {
    event = try Descriptor(opening: "eventfd") { eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)) }
  }

  var descriptor: Int32 { event.number }

  /// Ends the wait, or the next one if there is none now.
  func ring() {
    var one: UInt64 = 1
    _ = write(event.number, &one, MemoryLayout.size(ofValue: one))
  }
}

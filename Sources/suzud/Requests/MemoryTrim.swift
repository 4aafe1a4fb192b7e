// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Returns unused memory to the system.
final class MemoryTrim {
  /// With fewer requests it is not worth the time.
  private static let many = 200

  private let loop: EventLoop
  private let link: ServerLink
  private var next: EventLoop.Deadline?

  init(on loop: EventLoop, link: ServerLink) {
    self.loop = loop
    self.link = link
  }

  /// Most memory that the start used is not needed again.
  func trimAfterStart() {
    next = loop.schedule(after: .seconds(11)) {
      ProcessMemory.trim()
    }
  }

  /// Very many requests at once take far more memory than the center otherwise needs; it is returned when they are
  /// done.
  func trim(after count: Int) {
    guard count >= Self.many else { return }
    next?.cancel()
    next = loop.schedule(after: .seconds(2)) { [weak self] in
      guard let self else { return }
      if link.state == nil || link.queue.inFlight == 0 { ProcessMemory.trim() } else { trim(after: count) }
    }
  }
}

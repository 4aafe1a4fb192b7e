// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Gives memory back that is not needed any more.
final class MemoryTrim {
  /// From how many requests at once on it is worth it.
  private static let many = 200

  private let loop: EventLoop
  private let link: ServerLink
  private var next: EventLoop.Deadline?

  init(on loop: EventLoop, link: ServerLink) {
    self.loop = loop
    self.link = link
  }

  /// Most of what a start needs is never needed again.
  func trimAfterStart() {
    next = loop.schedule(after: .seconds(11)) {
      ProcessMemory.trim()
    }
  }

  /// So many requests at once take far more memory than the center needs otherwise: it is given back when they are done.
  func trim(after count: Int) {
    guard count >= Self.many else { return }
    next?.cancel()
    next = loop.schedule(after: .seconds(2)) { [weak self] in
      guard let self else { return }
      if link.state == nil || link.queue.inFlight == 0 { ProcessMemory.trim() } else { trim(after: count) }
    }
  }
}

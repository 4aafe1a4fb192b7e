// SPDX-License-Identifier: Apache-2.0

/// A lock for tasks on the loop whose work takes several turns: one task holds it at a time, in the order in which they
/// asked. Confined to the loop's thread.
public final class TaskLock {
  private let loop: EventLoop
  /// The tasks that wait; nil if no task holds the lock.
  private var waiting: [() -> Void]?

  /// Creates a lock that no task holds.
  public init(on loop: EventLoop) { self.loop = loop }

  /// Whether a task holds it.
  public var isHeld: Bool { waiting != nil }

  /// Takes the lock; ``release()`` must follow.
  ///
  /// Whether to wait is decided inside the continuation. A decision before it would be out of date: the task may
  /// suspend in between, the holder may release the lock then, and the task would wait for ever.
  public func take() async {
    await loop.withContinuation { continuation in
      if waiting == nil {
        waiting = []
        continuation.resume()
      } else {
        waiting?.append { continuation.resume() }
      }
    }
  }

  /// Releases the lock. The next task has it from now on, so that nothing comes in between.
  public func release() {
    guard let next = waiting?.first else { return waiting = nil }
    waiting?.removeFirst()
    next()
  }
}

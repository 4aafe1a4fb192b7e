// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
  /// Enough for a few calls into the kernel.
  private static let stackOfWork = 128 << 10

  /// Runs `work` on a thread of its own, which ends with it, and then `done` on the loop: for calls into the kernel
  /// that may take long, such as waiting for the disk.
  ///
  /// Only on the loop's own thread. If the system has no thread left, `work` runs there as well.
  public func performAway<T: Sendable>(_ work: @escaping @Sendable () -> T, then done: @escaping (T) -> Void) {
    preconditionOnLoop()
    if simulatedClocks != nil {
      let result = work()
      return performNext { done(result) }
    }
    // Created and run on the loop's thread; the other one only passes it on.
    nonisolated(unsafe) let done = done
    do throws(EventLoopError) {
      _ = try NamedThread(named: "waits for disk", stack: Self.stackOfWork) { [queue] in
        let result = work()
        queue.add(.closure { done(result) })
      }
    } catch {
      let result = work()
      performNext { done(result) }
    }
  }
}

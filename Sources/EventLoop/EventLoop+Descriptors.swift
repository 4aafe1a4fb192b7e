// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
  /// A registration with the loop; it lasts until ``cancel()``.
  public struct DescriptorWatch: Sendable {
    let loop: EventLoop
    let descriptor: Int32
    let key: UInt64

    /// Changes the events of the watch; an empty set leaves only failures.
    public func setInterest(_ interest: Readiness) {
      loop.preconditionOnLoop()
      loop.poller.change(key, of: descriptor, to: interest)
    }

    /// Ends the watch. The descriptor stays open; its owner closes it after this.
    public func cancel() {
      loop.preconditionOnLoop()
      loop.poller.remove(key, of: descriptor)
    }
  }

  /// Calls `handler` on the loop's thread whenever `descriptor` is ready; level-triggered.
  public func watch(
    _ descriptor: Int32, for interest: Readiness, _ handler: @escaping (Readiness) -> Void
  ) throws(EventLoopError) -> DescriptorWatch {
    preconditionOnLoop()
    return DescriptorWatch(loop: self, descriptor: descriptor, key: try poller.add(descriptor, interest, handler))
  }
}

// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
  /// A registration with the loop; it stays until ``cancel()``.
  public struct DescriptorWatch: Sendable {
    let loop: EventLoop
    let descriptor: Int32
    let key: UInt64

    /// Changes what the watch wants to hear of; an empty set keeps it silent (but for failures).
    public func setInterest(_ interest: Readiness) {
      loop.preconditionOnLoop()
      loop.poller.change(key, of: descriptor, to: interest)
    }

    /// Ends the watch. The descriptor stays open: it belongs to whoever opened it, who closes it after this.
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

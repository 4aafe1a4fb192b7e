// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
  /// Calls `handler` on the loop's thread for each `signal`, which has no other effect from now on.
  ///
  /// Call this before any other thread starts: a thread that does not block the signal can still receive it. Child
  /// processes inherit the block and must lift it. The last handler of a signal counts; the loop keeps it for good, so
  /// it must not retain the loop.
  public func onSignal(_ signal: Int32, _ handler: @escaping () -> Void) throws(EventLoopError) {
    try onSignal(signal, tellingOrigin: { _ in handler() })
  }

  /// Like ``onSignal(_:_:)``, with where the signal came from.
  package func onSignal(
    _ signal: Int32, tellingOrigin handler: @escaping (SignalOrigin) -> Void
  ) throws(EventLoopError) {
    preconditionOnLoop()
    if signals == nil {
      let source = try SignalSource()
      try poller.add(source.descriptor, .readable) { _ in source.deliver() }
      signals = source
    }
    try signals?.add(signal, handler)
  }
}

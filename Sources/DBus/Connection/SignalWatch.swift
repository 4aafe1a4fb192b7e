// SPDX-License-Identifier: Apache-2.0

/// A subscription to signals, or to the events of a peer; it ends when this is released.
public final class SignalWatch: Sendable {
  private let stop: @Sendable () -> Void

  init(_ stop: @escaping @Sendable () -> Void) { self.stop = stop }

  deinit { stop() }

  /// Ends it; what comes later is not reported. Calling it again does nothing.
  public func cancel() { stop() }
}

// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

/// Calls a function again and again, as long as this object exists.
@MainLoop final class Timer {
  private let source: guint

  init(every seconds: UInt32, _ call: @escaping @MainLoop () -> Void) {
    source = g_timeout_add_seconds_full(
      window_priority, seconds,
      { box in
        Handler.run(box)
        return 1
      }, Handler<Void>(call).retained, { Handler<Void>.drop($0) })
  }

  deinit { g_source_remove(source) }
}

extension MainLoop {
  /// Waits without keeping the screen from working.
  static func pause(milliseconds: UInt32) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let handler = Handler<Void> { _ in continuation.resume() }
      g_timeout_add_full(
        window_priority, milliseconds,
        { box in
          Handler.run(box)
          return 0
        }, handler.retained, { Handler<Void>.drop($0) })
    }
  }
}

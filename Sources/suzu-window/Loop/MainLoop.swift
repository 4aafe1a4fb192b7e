// SPDX-License-Identifier: Apache-2.0

/// The main loop of GLib, on the main thread: all widgets, and all that is said to them. The bus has a thread of its
/// own, which ``Center`` starts; a task that waits for it resumes here.
@globalActor actor MainLoop {
  static let shared = MainLoop()
  private static let executor = GLibExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

  /// Runs a handler of a signal, which GTK calls on the main thread.
  nonisolated static func assume<T>(_ body: @MainLoop () throws -> T) rethrows -> T {
    shared.preconditionIsolated("GTK belongs to the main thread")
    // As `MainActor.assumeIsolated` does: isolation is no part of how a function is called.
    return try withoutActuallyEscaping(body) { body in
      try unsafeBitCast(body, to: (() throws -> T).self)()
    }
  }
}

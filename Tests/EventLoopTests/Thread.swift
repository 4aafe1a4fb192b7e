// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A thread of a test's own, which no pool limits or reuses.
struct Thread: Sendable {
  private let handle: pthread_t

  private final class Start {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  static func start(_ body: @escaping @Sendable () -> Void) -> Thread {
    var handle = pthread_t()
    let start = Unmanaged.passRetained(Start(body))
    let code = pthread_create(
      &handle, nil,
      { raw in
        // The pointer passed just below, for this thread alone.
        Unmanaged<Start>.fromOpaque(raw!).takeRetainedValue().body()
        return nil
      }, start.toOpaque())
    precondition(code == 0)
    return Thread(handle: handle)
  }

  func join() { pthread_join(handle, nil) }
}

// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// A thread that runs one closure; it is detached unless it is joined.
struct NamedThread: ~Copyable {
  private let handle: pthread_t

  private final class Start {
    let name: String
    let body: () -> Void
    init(name: String, body: @escaping () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// - Parameter stack: the size of its stack in bytes; nil for that of the system, usually 8 MiB.
  init(named name: String, stack: Int? = nil, _ body: @escaping @Sendable () -> Void) throws(EventLoopError) {
    let start = Unmanaged.passRetained(Start(name: name, body: body))
    var handle = pthread_t()
    // Signals belong to the program: a library's thread that took one would swallow it.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stack { pthread_attr_setstacksize(&attributes, stack) }
    let code = pthread_create(
      &handle, &attributes,
      { raw in
        // Retained just above for exactly this thread; `raw` is that pointer, so it is never nil.
        let start = Unmanaged<Start>.fromOpaque(raw!).takeRetainedValue()
        linux_name_this_thread(start.name)  // the kernel keeps the first 15 bytes
        start.body()
        return nil
      }, start.toOpaque())
    pthread_sigmask(SIG_SETMASK, &before, nil)
    guard code == 0 else {
      start.release()
      throw EventLoopError("pthread_create", code)
    }
    self.handle = handle
  }

  consuming func join() {
    pthread_join(handle, nil)
    discard self
  }

  deinit {
    pthread_detach(handle)
  }
}

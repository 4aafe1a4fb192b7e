// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc

/// Notices that the answer is no longer waited for: the program that started this one has ended, or the reader of its
/// output has. With nohup, neither counts.
enum AskerWatch {
  static func begin(on loop: EventLoop, whenGone: @escaping @Sendable () -> Void) {
    if Process.ignores(SIGHUP) { return }
    // Files and /dev/null cannot be watched: they have no reader that ends.
    _ = try? loop.watch(STDOUT_FILENO, for: []) { if $0.contains(.failed) { whenGone() } }
    let parent = getppid()
    guard parent > 1, let handle = ProcessHandle(parent) else { return }
    // It may have ended before it could be watched.
    if getppid() != parent { return whenGone() }
    loop.onEnd(of: handle, whenGone)
  }
}

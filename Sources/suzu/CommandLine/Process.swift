// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The running program.
enum Process {
  /// Whether the parent process set the signal to be ignored, as nohup does.
  static func ignores(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  /// Ends the process by the signal's default action, so that a shell sees it and ends an enclosing loop as well.
  static func end(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    var one = sigset_t()
    sigemptyset(&one)
    sigaddset(&one, number)
    pthread_sigmask(SIG_UNBLOCK, &one, nil)
    kill(getpid(), number)
    _exit(128 + number)
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import SystemFiles

/// Where a signal came from.
package enum SignalOrigin: Sendable {
  /// The kernel, such as Ctrl-C in a terminal, which signals a whole group of processes.
  case kernel
  /// A process, or an alarm.
  case process
}

/// Receives signals as events of the loop, through one signalfd.
final class SignalSource {
  private let source: Descriptor
  private var mask = sigset_t()
  private var handlers: [Int32: (SignalOrigin) -> Void] = [:]

  init() throws(EventLoopError) {
    var empty = sigset_t()
    sigemptyset(&empty)
    mask = empty
    source = try Descriptor(opening: "signalfd") {
      signalfd(-1, &empty, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
    }
  }

  /// `SI_KERNEL`, a macro that Swift does not import.
  private static let fromKernel: Int32 = 0x80

  var descriptor: Int32 { source.number }

  func add(_ signal: Int32, _ handler: @escaping (SignalOrigin) -> Void) throws(EventLoopError) {
    guard sigaddset(&mask, signal) == 0 else { throw EventLoopError("sigaddset") }
    handlers[signal] = handler
    // A signal that is not blocked would still end the process; later threads inherit the mask.
    pthread_sigmask(SIG_BLOCK, &mask, nil)
    guard signalfd(source.number, &mask, 0) >= 0 else { throw EventLoopError("signalfd") }
  }

  func deliver() {
    var information = signalfd_siginfo()
    let size = MemoryLayout.size(ofValue: information)
    while read(source.number, &information, size) == size {
      handlers[Int32(information.ssi_signo)]?(information.ssi_code == Self.fromKernel ? .kernel : .process)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Synchronization
import TestSupport

/// A port of this machine, for servers of tests.
final class LocalListener: Sendable {
  let port: UInt16
  private let listener: Mutex<Int32>

  /// - Parameters:
  ///   - port: 0 for any that is free.
  ///   - handle: called with each connection, on a thread of its own.
  init(port: UInt16 = 0, _ handle: @escaping @Sendable (LocalSocket) -> Void) throws {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, length) == 0 && listen(number, 16) == 0 && getsockname(number, $0, &length) == 0
      }
    }
    guard bound else { throw TestFailure("no port for a server: \(String(cString: strerror(errno)))") }
    self.port = UInt16(bigEndian: address.sin_port)
    listener = Mutex(number)
    Thread.detachNewThread {
      while true {
        let connection = accept(number, nil, nil)
        if connection < 0 { return }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        Thread.detachNewThread { handle(LocalSocket(connection)) }
      }
    }
  }

  deinit { stop() }

  /// Takes no more connections; a connection attempt is refused.
  func stop() {
    listener.withLock { number in
      if number >= 0 {
        shutdown(number, Int32(SHUT_RDWR))
        close(number)
      }
      number = -1
    }
  }
}

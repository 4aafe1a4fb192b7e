// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Synchronization
import TestSupport

/// A port of this machine, for servers of tests.
///
/// The thread that accepts owns the socket, and is the only one to close it: closed by another thread, its number could
/// be that of the next test's server by the time this thread accepts again.
final class LocalListener: Sendable {
  let port: UInt16
  private let sockets: Sockets

  private final class Sockets: Sendable {
    /// The number of the one that listens; nil once it is closed.
    let listener: Mutex<Int32?>
    /// All connections: one that a test drops stays open until the test ends it, or until the listener goes.
    let connections = Mutex<[LocalSocket]>([])
    init(_ listener: Int32) { self.listener = Mutex(listener) }
  }

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
    guard bound else {
      let reason = String(cString: strerror(errno))
      if number >= 0 { close(number) }
      throw TestFailure("no port for a server: \(reason)")
    }
    self.port = UInt16(bigEndian: address.sin_port)
    let sockets = Sockets(number)
    self.sockets = sockets
    Thread.detachNewThread {
      while true {
        let connection = accept(number, nil, nil)
        if connection >= 0 {
          _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
          let socket = LocalSocket(connection)
          sockets.connections.withLock { $0.append(socket) }
          Thread.detachNewThread { handle(socket) }
        } else if errno != EINTR, errno != ECONNABORTED {
          break
        }
      }
      sockets.listener.withLock {
        close(number)
        $0 = nil
      }
    }
  }

  deinit { stop() }

  /// Takes no more connections; a connection attempt is refused.
  func stop() {
    sockets.listener.withLock { if let number = $0 { shutdown(number, Int32(SHUT_RDWR)) } }
  }
}

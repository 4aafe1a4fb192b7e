// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// One connection to a server of a test, as bytes.
final class LocalSocket: Sendable {
  private let descriptor: Mutex<Int32>

  /// - Parameter descriptor: closed together with the socket.
  init(_ descriptor: Int32) { self.descriptor = Mutex(descriptor) }

  deinit { close() }

  /// Sends all of it; returns whether the other side took it.
  func send(_ bytes: [UInt8]) -> Bool {
    let number = descriptor.withLock { $0 }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count <= 0 { return false }
      rest.removeFirst(count)
    }
    return true
  }

  /// Waits for the next bytes; returns nil at the end of the connection.
  func receive() -> ArraySlice<UInt8>? {
    let number = descriptor.withLock { $0 }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(number, &buffer, buffer.count, 0)
    return count > 0 ? buffer.prefix(count) : nil
  }

  /// Waits until ``receive()`` has something to return; returns false if it has not in time.
  func canReceive(within seconds: Int32) -> Bool {
    var limit = pollfd(fd: descriptor.withLock { $0 }, events: Int16(POLLIN), revents: 0)
    return poll(&limit, 1, seconds * 1000) > 0
  }

  /// Ends the connection; a thread that waits in ``receive()`` goes on.
  func shutDown() {
    descriptor.withLock { number in
      if number >= 0 { shutdown(number, Int32(SHUT_RDWR)) }
    }
  }

  func close() {
    descriptor.withLock { number in
      if number >= 0 { Glibc.close(number) }
      number = -1
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Glibc

/// One connection to a server of a test, as bytes.
///
/// The descriptor is closed with this object, and not before: a thread that still sends or receives would otherwise use
/// the number for another connection.
final class LocalSocket: Sendable {
  private let number: Int32

  /// - Parameter number: a descriptor that this object owns from now on.
  init(_ number: Int32) { self.number = number }

  deinit { Glibc.close(number) }

  /// Sends all of it; returns whether the other side took it.
  func send(_ bytes: [UInt8]) -> Bool {
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
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(number, &buffer, buffer.count, 0)
    return count > 0 ? buffer.prefix(count) : nil
  }

  /// Waits until ``receive()`` has something to return; returns false if it has not in time.
  func canReceive(within seconds: Int32) -> Bool {
    var limit = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return poll(&limit, 1, seconds * 1000) > 0
  }

  /// Ends the connection for both sides; a thread that waits in ``receive()`` goes on.
  func shutDown() { shutdown(number, Int32(SHUT_RDWR)) }
}

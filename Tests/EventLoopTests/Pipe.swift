// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Two ends that are closed when the test is over; of a socket, both read and write.
final class Pipe: Sendable {
  let reader: Int32
  let writer: Int32

  init(socket: Bool = false) {
    var ends: [Int32] = [-1, -1]
    let result = socket ? socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) : pipe(&ends)
    precondition(result == 0)
    (reader, writer) = (ends[0], ends[1])
  }

  func write(_ text: String) {
    precondition(Glibc.write(writer, text, text.utf8.count) == text.utf8.count)
  }

  func read() -> String {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(reader, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  /// Leaves the reader alone; the number stays taken, so that `deinit` closes no other file.
  func endWriting() {
    precondition(dup2(STDERR_FILENO, writer) == writer)
  }

  deinit {
    close(reader)
    close(writer)
  }
}

/// Whether `descriptor` becomes readable, at the latest after `milliseconds`.
func becomesReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
  var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&request, 1, milliseconds) == 1
}

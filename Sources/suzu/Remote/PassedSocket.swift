// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// The socket that systemd has opened, and passes to the process that it starts with the first call
/// ([sd_listen_fds(3)](https://www.freedesktop.org/software/systemd/man/latest/sd_listen_fds.html)).
enum PassedSocket {
  private static let first: Int32 = 3

  /// Takes the socket over; nil if none was passed to this process. Call it once.
  static func take(
    from environment: (String) -> String? = EnvironmentVariable.value, process: Int32 = getpid()
  ) throws(CommandError) -> Descriptor? {
    guard environment("LISTEN_PID") == "\(process)", let count = environment("LISTEN_FDS") else { return nil }
    guard count == "1" else {
      throw .unavailable("systemd passed \(PrintableText.line(count, atMost: 20)) sockets, not one")
    }
    guard option(SO_DOMAIN) == AF_UNIX, option(SO_ACCEPTCONN) == 1, fcntl(first, F_SETFD, FD_CLOEXEC) == 0,
      fcntl(first, F_SETFL, fcntl(first, F_GETFL) | O_NONBLOCK) == 0
    else { throw .unavailable("systemd passed no socket that listens for connections of this machine") }
    do throws(Errno) { return try Descriptor(owning: first) } catch { throw .unavailable("\(error)") }
  }

  private static func option(_ name: Int32) -> Int32? {
    var (value, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    return getsockopt(first, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
  }
}

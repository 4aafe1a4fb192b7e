// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import SystemFiles

/// Listens for what programs of another machine ask, over a socket that SSH carries there.
///
/// Confined to the loop's thread.
final class RemoteServer {
  private let requests: RemoteRequests
  private let path: String
  private let listener: Descriptor
  /// Whether this process made the socket, and so removes it.
  private let ownsPath: Bool
  private let loop: EventLoop
  private var watch: EventLoop.DescriptorWatch?
  private var guests: [ObjectIdentifier: RemoteGuest] = [:]

  /// How many calls may be open at once: most are questions.
  static let mostGuests = 64

  /// - Parameter passed: the socket that systemd listens to at the path; nil if it is to be made.
  init(
    for host: RemoteHost, of center: Center, at path: String, passed: consuming Descriptor?, on loop: EventLoop
  ) throws(CommandError) {
    requests = RemoteRequests(of: host, on: center)
    self.path = path
    self.loop = loop
    if let passed {
      listener = passed
      ownsPath = false
    } else {
      listener = try Self.listen(path)
      ownsPath = true
    }
  }

  private static func listen(_ path: String) throws(CommandError) -> Descriptor {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    if mkdir(folder, 0o700) != 0, errno != EEXIST {
      throw .unavailable("\(folder): \(String(cString: strerror(errno)))")
    }
    // A socket that nothing listens to is what a killed process left.
    if (try? SocketPath.connect(path)) != nil {
      throw .unavailable("'\(path)' is served already")
    }
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK else { throw .unavailable("'\(path)' is no socket; remove it") }
      unlink(path)
    }
    do throws(Errno) { return try SocketPath.listen(path) } catch { throw .unavailable("\(path): \(error)") }
  }

  func start() throws(EventLoopError) {
    watch = try loop.watch(listener.number, for: .readable) { [weak self] _ in self?.accept() }
  }

  /// Ends all connections; their questions are withdrawn.
  func stop() {
    watch?.cancel()
    watch = nil
    if ownsPath { unlink(path) }
    for guest in Array(guests.values) { guest.end() }
  }

  private func accept() {
    guard let file = try? Descriptor(owning: Glibc.accept(listener.number, nil, nil)) else { return }
    _ = fcntl(file.number, F_SETFD, FD_CLOEXEC)
    // Beyond the limit, the connection ends at once, which its program reports.
    guard guests.count < Self.mostGuests else { return }
    let guest = RemoteGuest(LineSocket(file, longest: LineSocket.longestCall, on: loop), requests, on: loop) {
      [weak self] in self?.guests[ObjectIdentifier($0)] = nil
    }
    guests[ObjectIdentifier(guest)] = guest
    do throws(EventLoopError) { try guest.start() } catch { guest.end() }
  }
}

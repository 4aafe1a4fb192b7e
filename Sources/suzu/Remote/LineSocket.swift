// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import SystemFiles

/// A connected socket whose two ends send lines of JSON, each an object.
///
/// Confined to the loop's thread.
final class LineSocket {
  private let file: Descriptor
  private let output: PatientOutput
  private let loop: EventLoop
  private let longest: Int
  private var watch: EventLoop.DescriptorWatch?
  private var bytes: [UInt8] = []

  /// Called with each line.
  var whenRead: ([String: PlainValue]) -> Void = { _ in }
  /// Called once, at the end of the other side, or at a line that is too long or no JSON.
  var whenEnded: () -> Void = {}

  /// The longest line from the other machine: a request of the longest permitted size, in its JSON form.
  static let longestCall = 512 << 10
  /// The longest answer: a page of a listing.
  static let longestAnswer = 2 << 20

  init(_ file: consuming Descriptor, longest: Int, on loop: EventLoop) {
    output = PatientOutput(to: file.number, on: loop)
    self.file = file
    self.longest = longest
    self.loop = loop
  }

  deinit { close() }

  func start() throws(EventLoopError) {
    // A hang-up is no end yet: what the other side sent before is still to be read, and then the end.
    try output.start()
    watch = try loop.watch(file.number, for: .readable) { [weak self] _ in self?.read() }
  }

  func send(_ words: [String: PlainValue]) { output.write(Array((PlainValue.dictionary(words).json + "\n").utf8)) }

  /// Lets the other side read the rest, within a limit, and then calls `done`.
  func finish(_ done: @escaping () -> Void) {
    guard watch != nil, output.waiting > 0 else { return done() }
    let deadline = loop.schedule(after: Self.finishLimit, done)
    output.whenDrained = {
      deadline.cancel()
      done()
    }
  }

  private static let finishLimit: Duration = .seconds(5)

  func close() {
    guard watch != nil else { return }
    if loop.isOnLoop { watch?.cancel() }
    watch = nil
    output.stop()
    shutdown(file.number, Int32(SHUT_RDWR))
  }

  private func end() {
    guard watch != nil else { return }
    close()
    whenEnded()
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(file.number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else { return end() }
    bytes += buffer.prefix(count)
    while let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) {
      guard newline <= longest, let words = Self.words(bytes[..<newline]) else { return end() }
      bytes.removeSubrange(...newline)
      whenRead(words)
      if watch == nil { return }
    }
    if bytes.count > longest { end() }
  }

  private static func words(_ line: ArraySlice<UInt8>) -> [String: PlainValue]? {
    guard let text = String(validating: line, as: UTF8.self), let value = try? JSONReader.read(text),
      case .dictionary(let words) = value
    else { return nil }
    return words
  }
}

/// The address of a socket in the file system.
enum SocketPath {
  /// Calls `body` with the address; nil if the path is too long for one.
  private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  private static func socket() throws(Errno) -> Descriptor {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    return try Descriptor(owning: Glibc.socket(AF_UNIX, kind, 0))
  }

  /// Connects to a socket that listens; a socket of the file system does so at once.
  static func connect(_ path: String) throws(Errno) -> Descriptor {
    let file = try socket()
    guard let result = withAddress(path, { Glibc.connect(file.number, $0, $1) }) else {
      throw Errno(rawValue: ENAMETOOLONG)
    }
    if result != 0 { throw .current }
    return file
  }

  /// Listens for this user alone.
  static func listen(_ path: String) throws(Errno) -> Descriptor {
    let file = try socket()
    let mask = umask(0o177)
    let result = withAddress(path) { Glibc.bind(file.number, $0, $1) }
    let error = errno
    umask(mask)
    guard let result else { throw Errno(rawValue: ENAMETOOLONG) }
    if result != 0 { throw Errno(rawValue: error) }
    if Glibc.listen(file.number, 64) != 0 { throw .current }
    return file
  }
}

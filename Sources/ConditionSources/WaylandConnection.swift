// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import SystemFiles

/// A connection to a Wayland compositor, in the
/// [format of its messages](https://wayland.freedesktop.org/docs/html/ch04.html#sect-Protocol-Wire-Format); it does not
/// know what they mean.
///
/// libwayland would be loaded at each start of the center, for two requests that most centers never send.
final class WaylandConnection {
  /// An event of the compositor.
  struct Event {
    let object: UInt32
    let operation: UInt32
    fileprivate let arguments: ArraySlice<UInt8>

    /// The number at a position in words; nil if there is none.
    func number(at position: Int) -> UInt32? {
      let start = arguments.startIndex + 4 * position
      guard start + 4 <= arguments.endIndex else { return nil }
      return WaylandConnection.number(arguments[start...])
    }

    /// The text that begins at a position; nil if there is none.
    func text(at position: Int) -> String? {
      guard let length = number(at: position).map(Int.init), length > 0 else { return nil }
      let start = arguments.startIndex + 4 * (position + 1)
      guard length <= arguments.endIndex - start else { return nil }
      return String(decoding: arguments[start..<(start + length - 1)], as: UTF8.self)
    }
  }

  private let socket: Descriptor
  private var watch: EventLoop.DescriptorWatch?
  private var received: [UInt8] = []
  private let take: (Event) -> Void
  private let lose: () -> Void

  /// Connects without waiting; nil if no compositor listens there.
  ///
  /// - Parameter lose: called once when the compositor has ended the connection, or does not keep to the format.
  init?(to path: String, on loop: EventLoop, take: @escaping (Event) -> Void, lose: @escaping () -> Void) {
    guard let socket = try? Descriptor(owning: Self.connected(to: path)) else { return nil }
    (self.take, self.lose) = (take, lose)
    self.socket = socket
    watch = try? loop.watch(self.socket.number, for: .readable) { [weak self] _ in self?.receive() }
    if watch == nil { return nil }
  }

  /// Returns a connected socket, or -1.
  private static func connected(to path: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8) + [0]
    guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { return -1 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let number = Glibc.socket(AF_UNIX, kind, 0)
    guard number >= 0 else { return -1 }
    let isConnected = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    if isConnected { return number }
    Glibc.close(number)
    return -1
  }

  /// Ends the connection; nothing is called any more.
  func close() {
    watch?.cancel()
    watch = nil
  }

  private func end() {
    guard watch != nil else { return }
    close()
    lose()
  }

  // MARK: Requests

  /// Sends a request. Ends the connection if the compositor no longer reads.
  func send(_ object: UInt32, _ operation: UInt32, _ arguments: [UInt32]) {
    guard watch != nil else { return }
    let words = [object, UInt32(8 + 4 * arguments.count) << 16 | operation] + arguments
    let count = words.withUnsafeBytes {
      Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count != 4 * words.count { end() }
  }

  /// A text as an argument: its length with a final zero, then its bytes in whole words.
  static func words(_ text: String) -> [UInt32] {
    var bytes = Array(text.utf8) + [0]
    let length = UInt32(bytes.count)
    bytes += [UInt8](repeating: 0, count: -bytes.count & 3)
    return [length] + stride(from: 0, to: bytes.count, by: 4).map { number(bytes[$0...]) }
  }

  // MARK: Events

  /// Numbers have the byte order of the machine.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
  }

  private func receive() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(socket.number, &bytes, bytes.count, 0)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return end() }
    received += bytes[..<count]
    while received.count >= 8 {
      let (object, second) = (Self.number(received[...]), Self.number(received[4...]))
      let size = Int(second >> 16)
      guard size >= 8, size & 3 == 0 else { return end() }
      guard received.count >= size else { return }
      let event = Event(object: object, operation: second & 0xffff, arguments: received[8..<size])
      received.removeFirst(size)
      take(event)
      if watch == nil { return }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import SystemFiles

/// A connection to Speech Dispatcher, in its
/// [protocol SSIP](https://htmlpreview.github.io/?https://github.com/brailcom/speechd/blob/master/doc/ssip.html).
///
/// libspeechd would start a thread in the center, and `spd-say` shows the text in the list of processes.
final class SpeechConnection {
  /// An answer: its number.
  struct Reply: Sendable {
    let code: Int
    var isGood: Bool { 200..<300 ~= code }
  }

  private let socket: Descriptor
  private let loop: EventLoop
  private var watch: EventLoop.DescriptorWatch?
  private var received: [UInt8] = []
  private var waiting: CheckedContinuation<Reply?, Never>?
  /// Answers that came before the task waited for them: it may need a turn of the loop for that.
  private var replies: [Reply] = []
  /// No answer is this long, and none has this many others behind it.
  private static let (mostReceived, mostReplies) = (16 << 10, 16)

  /// Connects without waiting; nil if nothing listens there.
  init?(to path: String, on loop: EventLoop) {
    guard let number = Self.connected(to: path), let socket = try? Descriptor(owning: number) else { return nil }
    self.socket = socket
    self.loop = loop
    watch = try? loop.watch(self.socket.number, for: .readable) { [weak self] _ in self?.receive() }
    if watch == nil { return nil }
  }

  private static func connected(to path: String) -> Int32? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8) + [0]
    guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let number = Glibc.socket(AF_UNIX, kind, 0)
    guard number >= 0 else { return nil }
    let isConnected = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    if isConnected { return number }
    Glibc.close(number)
    return nil
  }

  /// Ends the connection; what was sent is spoken all the same.
  func close() {
    watch?.cancel()
    watch = nil
    waiting?.resume(returning: nil)
    waiting = nil
  }

  /// Sends lines and waits for the answer; returns nil if there is none by that time, or the connection has ended.
  func ask(_ text: String, until end: Duration, isolation: isolated (any Actor)? = #isolation) async -> Reply? {
    guard watch != nil, waiting == nil else { return nil }
    let bytes = Array(text.utf8)
    let count = bytes.withUnsafeBytes { send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard count == bytes.count else {
      close()
      return nil
    }
    let deadline = loop.schedule(at: end, on: .monotonic) { [weak self] in self?.close() }
    defer { deadline.cancel() }
    return await loop.withContinuation { continuation in
      if !replies.isEmpty {
        continuation.resume(returning: replies.removeFirst())
      } else if watch == nil {
        continuation.resume(returning: nil)
      } else {
        waiting = continuation
      }
    }
  }

  private func answer(_ reply: Reply) {
    guard let waiting else {
      replies.append(reply)
      return
    }
    self.waiting = nil
    waiting.resume(returning: reply)
  }

  private func receive() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(socket.number, &bytes, bytes.count, 0)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0, received.count < Self.mostReceived, replies.count < Self.mostReplies else { return close() }
    received += bytes[..<count]
    while let end = received.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: received[..<end], as: UTF8.self)
      received.removeSubrange(...end)
      // The last line of an answer has a blank behind its number, the others a dash.
      guard let code = Int(line.prefix(3)) else { return close() }
      if line.dropFirst(3).first == "-" { continue }
      answer(Reply(code: code))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc

/// Writes to a shared descriptor without blocking: output that the reader does not take now is sent when it is ready.
/// The loop that draws popups also serves the bus, so a stopped terminal must not block it.
///
/// `O_NONBLOCK` belongs to the open file, which standard output shares with the shell and with standard input: setting
/// it there would break both, even after our exit. So the file is opened once more.
final class PatientOutput {
  private enum Way {
    /// A separate opening, closed by this object.
    case reopened
    /// Each call uses `MSG_DONTWAIT`.
    case socket
    /// Never blocks (a file), or blocking cannot be avoided.
    case direct
  }

  private let loop: EventLoop
  private let descriptor: Int32
  private let way: Way
  private var watch: EventLoop.DescriptorWatch?
  private var pending: [UInt8] = []
  private var sent = 0
  private var isBroken = false

  /// Called when all pending output has been sent.
  var whenDrained: () -> Void = {}
  /// Called once when the reader is gone.
  var whenBroken: () -> Void = {}

  init(to original: Int32, on loop: EventLoop) {
    self.loop = loop
    var status = stat()
    let kind = fstat(original, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
    if kind == S_IFSOCK {
      (descriptor, way) = (original, .socket)
    } else if kind == S_IFIFO || isatty(original) == 1, let own = Self.reopen(original) {
      (descriptor, way) = (own, .reopened)
    } else {
      (descriptor, way) = (original, .direct)
    }
    signal(SIGPIPE, SIG_IGN)
  }

  deinit {
    if way == .reopened { Glibc.close(descriptor) }
  }

  private static func reopen(_ original: Int32) -> Int32? {
    let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let own = open("/proc/self/fd/\(original)", flags)
    if own >= 0 { return own }
    // After su the terminal belongs to another user; /dev/tty may still be opened.
    let terminal = isatty(original) == 1 ? open("/dev/tty", flags) : -1
    return terminal >= 0 ? terminal : nil
  }

  /// Begins to watch for a closed reader. On the loop.
  func start() throws(EventLoopError) {
    guard way != .direct, watch == nil else { return }
    watch = try loop.watch(descriptor, for: pending.isEmpty ? [] : .writable) { [weak self] readiness in
      self?.becameReady(readiness)
    }
  }

  /// Ends the watch; ``write(_:)`` still works. Off the loop (it has ended) the watch has ended with it.
  func stop() {
    if loop.isOnLoop { watch?.cancel() }
    watch = nil
  }

  /// Drops pending output.
  func discard() {
    pending = []
    sent = 0
  }

  /// The number of pending bytes.
  var waiting: Int { pending.count - sent }

  func write(_ bytes: [UInt8]) {
    guard !isBroken, !bytes.isEmpty else { return }
    let wasWaiting = waiting > 0
    pending += bytes
    if wasWaiting { return }
    flush()
    if waiting > 0 && loop.isOnLoop { watch?.setInterest(.writable) }
  }

  /// Waits up to `limit` for the reader to take the last output.
  func finish(within limit: Duration) {
    let end = EventLoop.Clock.monotonic.now + limit
    while waiting > 0 && !isBroken {
      let left = (end - EventLoop.Clock.monotonic.now).components
      let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
      var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard milliseconds > 0, poll(&entry, 1, Int32(milliseconds)) > 0 else { return }
      flush()
    }
  }

  private func becameReady(_ readiness: Readiness) {
    if readiness.contains(.failed) { return end() }
    flush()
    guard waiting == 0, !isBroken else { return }
    watch?.setInterest([])
    whenDrained()
  }

  private func flush() {
    while waiting > 0 {
      let count = pending[sent...].withUnsafeBytes { bytes in
        way == .socket
          ? send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
          : Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        return end()
      }
    }
    if sent == pending.count || sent > 64 * 1024 {
      pending.removeFirst(sent)
      sent = 0
    }
  }

  private func end() {
    guard !isBroken else { return }
    isBroken = true
    discard()
    stop()
    whenBroken()
  }
}

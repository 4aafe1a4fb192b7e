// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc

/// Writes to somebody else's descriptor without ever waiting for the reader: what it does not take now goes out when
/// it is ready. The loop that draws popups is the loop that answers the bus, so a stopped terminal must not stop it.
///
/// `O_NONBLOCK` belongs to the open file, which standard output shares with the shell and with standard input: setting
/// it there would break both, also after our end. So the file is opened once more, for ourselves.
final class PatientOutput {
  private enum Way {
    /// Our own opening, closed by us.
    case reopened
    /// Each call says that it does not want to wait.
    case socket
    /// Never waits anyway (a file), or there is no way around it.
    case direct
  }

  private let loop: EventLoop
  private let descriptor: Int32
  private let way: Way
  private var watch: EventLoop.DescriptorWatch?
  private var pending: [UInt8] = []
  private var sent = 0
  private var isBroken = false

  /// Everything has gone out that had to wait.
  var whenDrained: () -> Void = {}
  /// Nobody reads any more; told once.
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
    // After su the terminal is another user's; the controlling terminal may be opened by its name all the same.
    let terminal = isatty(original) == 1 ? open("/dev/tty", flags) : -1
    return terminal >= 0 ? terminal : nil
  }

  /// Begins to listen for the reader's end. On the loop.
  func start() throws(EventLoopError) {
    guard way != .direct, watch == nil else { return }
    watch = try loop.watch(descriptor, for: pending.isEmpty ? [] : .writable) { [weak self] readiness in
      self?.becameReady(readiness)
    }
  }

  /// Ends the listening; ``write(_:)`` still works. Off the loop (it has ended) the watch has ended with it.
  func stop() {
    if loop.isOnLoop { watch?.cancel() }
    watch = nil
  }

  /// Forgets what waits.
  func discard() {
    pending = []
    sent = 0
  }

  /// Bytes that still wait for the reader.
  var waiting: Int { pending.count - sent }

  func write(_ bytes: [UInt8]) {
    guard !isBroken, !bytes.isEmpty else { return }
    let wasWaiting = waiting > 0
    pending += bytes
    if wasWaiting { return }
    flush()
    if waiting > 0 && loop.isOnLoop { watch?.setInterest(.writable) }
  }

  /// For the last words: gives the reader `limit` to take them, then gives up.
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

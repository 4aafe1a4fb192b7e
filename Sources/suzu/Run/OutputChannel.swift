// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import SystemFiles

/// Copies what a command writes to where our own output goes, and hands it over on the way.
///
/// It reads only while the reader behind us takes everything, so that a slow reader slows the command down as if
/// nothing were between them. Confined to the loop's thread.
final class OutputChannel {
  private let loop: EventLoop
  private let source: Descriptor
  private let destination: Int32
  private let output: PatientOutput
  private var watch: EventLoop.DescriptorWatch?
  private var isReading = false
  private var whenIdle: (() -> Void)?
  private var buffer = [UInt8](repeating: 0, count: 128 << 10)
  /// Whether all that writes to it has ended.
  private(set) var hasEnded = false
  /// Whether the reader behind us has gone.
  private(set) var isBroken = false

  /// Receives what was read.
  var whenRead: (UnsafeRawBufferPointer) -> Void = { _ in }

  /// - Parameters:
  ///   - source: the end of a link from the command.
  ///   - destination: one of our descriptors.
  init(_ source: consuming Descriptor, to destination: Int32, on loop: EventLoop) throws(EventLoopError) {
    self.source = source
    self.loop = loop
    self.destination = destination
    output = PatientOutput(to: destination, on: loop)
    output.whenDrained = { [weak self] in self?.resume() }
    output.whenBroken = { [weak self] in self?.breakOff() }
    try output.start()
    watch = try loop.watch(reading, for: .readable) { [weak self] _ in self?.read() }
    isReading = true
  }

  private var reading: Int32 { source.number }

  /// Takes the size of our terminal's window.
  ///
  /// The terminal told the command of its new size, but the command may have looked before the second terminal had it:
  /// it is told again.
  func copySize() {
    guard OutputLink.copySize(from: destination, to: reading) else { return }
    let group = tcgetpgrp(destination)
    if group > 0 { killpg(group, SIGWINCH) }
  }

  /// Reads once; returns whether there may be more.
  @discardableResult
  private func read() -> Bool {
    guard !hasEnded, output.waiting == 0 else { return false }
    let count = buffer.withUnsafeMutableBytes { Glibc.read(reading, $0.baseAddress, $0.count) }
    guard count > 0 else {
      // A terminal without a writer answers EIO.
      if count == 0 || errno != EAGAIN && errno != EINTR { end() }
      return count < 0 && errno == EINTR
    }
    buffer.withUnsafeBytes { whenRead(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    output.write(Array(buffer[..<count]))
    if output.waiting > 0 { pause() }
    return !hasEnded
  }

  private func pause() {
    guard isReading else { return }
    isReading = false
    watch?.setInterest([])
  }

  private func resume() {
    if !isReading, !hasEnded {
      isReading = true
      watch?.setInterest(.readable)
    }
    settle()
  }

  private func end() {
    hasEnded = true
    watch?.cancel()
    watch = nil
    settle()
  }

  /// The reader has gone: the command gets SIGPIPE at its next write, once the link is closed.
  private func breakOff() {
    isBroken = true
    end()
    whenBroken()
  }

  /// Called when the reader behind us has gone; the owner then releases this object.
  var whenBroken: () -> Void = {}

  // MARK: The end

  /// Copies what the command has left in the link, once it has ended, and waits until the reader has taken it. Programs
  /// that the command left behind can go on writing: another process copies for them.
  func finish() async {
    await loop.withContinuation { continuation in
      drain(Self.most) { continuation.resume() }
    }
    watch?.cancel()
    watch = nil
    if !hasEnded { leaveBehind() }
    output.stop()
  }

  /// As much as a pipe holds, twice: a program that was left behind may write without an end.
  private static let most = 2 << 20

  private func drain(_ left: Int, _ done: @escaping () -> Void) {
    var left = left
    while left > 0, read() { left -= buffer.count }
    guard output.waiting > 0 else { return done() }
    whenIdle = { [weak self] in
      guard let self else { return done() }
      // What came meanwhile is the rest; an end without a limit would wait for others.
      self.drain(min(left, self.buffer.count * 8), done)
    }
  }

  private func settle() {
    guard output.waiting == 0, let idle = whenIdle.take() else { return }
    idle()
  }

  /// `cat` reads from the link, and writes to our descriptor.
  private func leaveBehind() {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    _ = fcntl(reading, F_SETFL, 0)
    posix_spawn_file_actions_adddup2(&actions, reading, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, destination, STDOUT_FILENO)
    // A terminal without a writer ends with an error.
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var usual = sigset_t()
    sigemptyset(&usual)
    sigaddset(&usual, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("cat"), nil]
    defer { for word in words { free(word) } }
    var processID: pid_t = 0
    posix_spawnp(&processID, "cat", &actions, &attributes, &words, environ)
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import SystemFiles

/// The terminal that this process runs in, opened for itself: the standard descriptors may be pipes.
///
/// Confined to the loop's thread.
final class ControllingTerminal {
  private let file: Descriptor
  private let output: PatientOutput
  private let loop: EventLoop
  /// Whether its answers can be read: this process is not in the background, where reading would stop it.
  let canRead: Bool
  private var watch: EventLoop.DescriptorWatch?
  private let mode: TerminalMode

  var whenRead: ([UInt8]) -> Void = { _ in }
  /// Called once when the terminal is gone.
  var whenLost: () -> Void = {}

  /// How long a terminal may take to accept a notification; Ctrl-S stops it.
  private static let outputLimit: Duration = .seconds(2)

  /// Fails if there is none.
  init?(on loop: EventLoop) {
    guard let path = Self.path, let file = try? Descriptor(path, O_RDWR | O_NOCTTY | O_NONBLOCK) else { return nil }
    canRead = tcgetpgrp(file.number) == getpgrp()
    output = PatientOutput(to: file.number, on: loop)
    mode = TerminalMode(of: file.number)
    self.file = file
    self.loop = loop
  }

  // Before the descriptor is closed.
  deinit { mode.restore() }

  /// The controlling terminal, else one of the standard descriptors: a process that left its session has none.
  private static var path: String? {
    if (try? Descriptor("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK)) != nil { return "/dev/tty" }
    return (Int32(0)...2).first { isatty($0) == 1 }.map { "/proc/self/fd/\($0)" }
  }

  /// Sends bytes; returns whether the terminal took them.
  func write(_ bytes: [UInt8]) -> Bool {
    output.write(bytes)
    output.finish(within: Self.outputLimit)
    defer { output.discard() }
    return output.waiting == 0
  }

  // MARK: Reading

  /// Turns off the echo, and reads what comes. Signals of keys, such as Ctrl-C, stay. Returns false if the terminal
  /// cannot be read, or if something was typed already, which is left for the next program.
  func beginReading(evenIfTyped: Bool) throws(EventLoopError) -> Bool {
    guard canRead, mode.change(to: .quiet) else { return false }
    var waiting = pollfd(fd: file.number, events: Int16(POLLIN), revents: 0)
    if !evenIfTyped, poll(&waiting, 1, 0) > 0, waiting.revents & Int16(POLLIN) != 0 {
      mode.restore()
      return false
    }
    watch = try loop.watch(file.number, for: .readable) { [weak self] _ in self?.read() }
    return true
  }

  func endReading() {
    if loop.isOnLoop { watch?.cancel() }
    watch = nil
    mode.restore()
  }

  /// Handles Ctrl-Z: restores the terminal, stops, and continues later.
  func suspend() {
    mode.restore()
    TerminalMode.stopProcess()
    if watch != nil { mode.change(to: .quiet) }
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(file.number, &buffer, buffer.count)
    if count > 0 {
      whenRead(Array(buffer.prefix(count)))
    } else if count == 0 || errno != EINTR && errno != EAGAIN {
      endReading()
      whenLost()
    }
  }
}

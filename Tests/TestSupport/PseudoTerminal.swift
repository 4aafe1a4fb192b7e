// SPDX-License-Identifier: Apache-2.0
internal import CTerminal
internal import Foundation
internal import Glibc
package import TestStage

/// A terminal without a screen: a test reads what programs on it print, and answers or types.
package final class PseudoTerminal: @unchecked Sendable {
  // @unchecked: all mutable state is guarded by `condition`.
  private let condition = NSCondition()
  private var received: [UInt8] = []
  private var position = 0
  /// The other end; -1 once it is closed.
  private var master: Int32
  /// Closing the second wakes the reader, which alone can close the other end while it waits for it.
  private var wake: [Int32] = [-1, -1]
  /// Kept open, so that the terminal outlives the programs on it, and its mode can be read.
  private let slave: Int32
  /// The path of its device.
  package let path: String

  package init() throws {
    var ends: (user: Int32, program: Int32) = (-1, -1)
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&ends.user, &ends.program, nil, nil, &size) == 0, let name = ttyname(ends.program) else {
      throw TestFailure("no pseudo-terminal: \(String(cString: strerror(errno)))")
    }
    (master, slave, path) = (ends.user, ends.program, String(cString: name))
    guard pipe(&wake) == 0 else { throw TestFailure("pipe: \(String(cString: strerror(errno)))") }
    for end in [master, slave] + wake { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (reading, woken) = (master, wake[0])
    Thread.detachNewThread { [weak self] in
      var buffer = [UInt8](repeating: 0, count: 65536)
      while true {
        var ready = [
          pollfd(fd: reading, events: Int16(POLLIN), revents: 0), pollfd(fd: woken, events: Int16(POLLIN), revents: 0),
        ]
        if poll(&ready, 2, -1) < 0, errno == EINTR { continue }
        if ready[1].revents != 0 { break }
        let count = read(reading, &buffer, buffer.count)
        guard count > 0, let self else { break }
        self.condition.withLock {
          self.received += buffer.prefix(count)
          self.condition.broadcast()
        }
      }
      close(reading)
      close(woken)
    }
  }

  deinit {
    hangUp()
    close(slave)
  }

  /// Starts a program in a session of its own whose terminal this is. Its output and errors are pipes.
  package func start(_ program: String, _ arguments: [String], environment: [String: String]) throws -> RunningProgram {
    try RunningProgram(
      "/bin/sh", ["-c", "exec setsid -c -w \"$@\" <>\"$0\"", path, program] + arguments, environment: environment)
  }

  /// Types, or answers.
  package func send(_ text: String) {
    let bytes = Array(text.utf8)
    condition.withLock { if master >= 0 { _ = write(master, bytes, bytes.count) } }
  }

  /// What was printed since the last call, up to `text`; nil if that does not come.
  package func awaitOutput(_ text: String, within seconds: Double = 10) -> String? {
    let wanted = Array(text.utf8)
    let end = Date(timeIntervalSinceNow: seconds)
    return condition.withLock {
      while true {
        if let range = received[position...].firstRange(of: wanted) {
          defer { position = range.upperBound }
          return String(decoding: received[position..<range.upperBound], as: UTF8.self)
        }
        if !condition.wait(until: end) { return nil }
      }
    }
  }

  /// Everything that was printed.
  package var output: String { condition.withLock { String(decoding: received, as: UTF8.self) } }

  /// Whether it is as a shell expects it: lines and an echo.
  package var hasUsualMode: Bool {
    var mode = termios()
    return tcgetattr(slave, &mode) == 0 && mode.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO)
  }

  /// The number of typed bytes that no program has read.
  package var typedAhead: Int {
    var mode = termios()
    guard tcgetattr(slave, &mode) == 0 else { return -1 }
    let before = mode
    mode.c_lflag &= ~tcflag_t(ICANON)
    withUnsafeMutableBytes(of: &mode.c_cc) { characters in
      characters[Int(VMIN)] = 0
      characters[Int(VTIME)] = 0
    }
    tcsetattr(slave, TCSANOW, &mode)
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(slave, &buffer, buffer.count)
    var usual = before
    tcsetattr(slave, TCSANOW, &usual)
    return max(count, 0)
  }

  /// Ends the terminal, as a broken link does.
  package func hangUp() {
    condition.withLock {
      if master >= 0 { close(wake[1]) }
      master = -1
    }
  }
}

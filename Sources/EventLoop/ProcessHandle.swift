// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// A handle of a process (a pidfd). Unlike its number, the handle never refers to another process.
public struct ProcessHandle: ~Copyable {
  let descriptor: Int32

  /// Opens the process that has that number now; returns nil if there is none, or the kernel is older than 5.3.
  public init?(_ processID: Int32) {
    guard processID > 0 else { return nil }
    let descriptor = pidfd_open(processID, 0)
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  /// Takes ownership of a pidfd.
  public init?(owning descriptor: Int32) {
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Whether the process has ended, reaped or not.
  public var hasEnded: Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // If the handle cannot be polled, the process no longer exists.
    return poll(&state, 1, 0) != 0
  }

  /// Sends a signal to the process, and never to another one that reuses its number. Returns false if it has ended, or
  /// may not be signalled.
  public func send(_ signal: Int32) -> Bool { pidfd_send_signal(descriptor, signal, nil, 0) == 0 }

  /// Its number in our namespace; nil if it has ended, is not visible to us, or the descriptor is not a pidfd.
  public var processID: Int32? {
    guard let file = fopen("/proc/self/fdinfo/\(descriptor)", "re") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
      guard text.hasPrefix("Pid:") else { continue }
      let number = Int32(text.dropFirst(4).filter { !$0.isWhitespace }) ?? 0
      return number > 0 ? number : nil
    }
    return nil
  }
}

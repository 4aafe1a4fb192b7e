// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// A process itself (a pidfd), and not its number, which another process may be given once this one has ended.
public struct ProcessHandle: ~Copyable {
  let descriptor: Int32

  /// Holds whoever has that number now; nil where nobody has, or the kernel is older than 5.3.
  public init?(_ processID: Int32) {
    guard processID > 0 else { return nil }
    let descriptor = pidfd_open(processID, 0)
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  /// Takes over a descriptor that somebody else has made, and that is closed with this value.
  public init?(owning descriptor: Int32) {
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Whether it has ended, also where nobody has collected it yet.
  public var hasEnded: Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // What cannot be asked is not there any more.
    return poll(&state, 1, 0) != 0
  }

  /// Sends it a signal, and never another process that has its number by now; false if it has ended, or is not ours to
  /// signal.
  public func send(_ signal: Int32) -> Bool { pidfd_send_signal(descriptor, signal, nil, 0) == 0 }

  /// Its number, as we see it; nil where it has ended, is out of our sight, or the descriptor is that of something else.
  public var processID: Int32? {
    guard let file = fopen("/proc/self/fdinfo/\(descriptor)", "re") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix("Pid:") else { continue }
      let number = Int32(text.dropFirst(4).filter { !$0.isWhitespace }) ?? 0
      return number > 0 ? number : nil
    }
    return nil
  }
}

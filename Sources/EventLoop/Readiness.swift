// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// Events of a descriptor.
public struct Readiness: OptionSet, Sendable {
  /// The bits; the values are ours, not epoll's.
  public let rawValue: UInt8

  /// Creates events from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// There is data to read, or the other end has closed.
  public static let readable = Readiness(rawValue: 1)
  /// There is room to write.
  public static let writable = Readiness(rawValue: 2)
  /// An error or a hang-up; reported to every watch, whatever its events.
  public static let failed = Readiness(rawValue: 4)

  init(epollBits bits: UInt32) {
    var readiness: Readiness = []
    // A pipe without writers reports only EPOLLHUP, and reading it returns the end of file.
    if bits & (EPOLLIN.rawValue | EPOLLHUP.rawValue) != 0 { readiness.insert(.readable) }
    if bits & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
    if bits & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { readiness.insert(.failed) }
    self = readiness
  }

  var epollBits: UInt32 {
    var bits: UInt32 = 0
    if contains(.readable) { bits |= EPOLLIN.rawValue }
    if contains(.writable) { bits |= EPOLLOUT.rawValue }
    // epoll reports failures even for no events: edge-triggered, so that it reports them only once.
    return bits == 0 ? EPOLLET.rawValue : bits
  }
}

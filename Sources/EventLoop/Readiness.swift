// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// What a descriptor is ready for, or what somebody wants to hear of.
public struct Readiness: OptionSet, Sendable {
  /// The bits; their values are ours, not epoll's.
  public let rawValue: UInt8

  /// From bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// There is something to read, or the other end has closed.
  public static let readable = Readiness(rawValue: 1)
  /// There is room to write.
  public static let writable = Readiness(rawValue: 2)
  /// An error or a hang-up; told to every watch, whatever it asked for.
  public static let failed = Readiness(rawValue: 4)

  init(epollBits bits: UInt32) {
    var readiness: Readiness = []
    // A pipe whose writers are gone reports EPOLLHUP alone, and reading it gives the end of file.
    if bits & (EPOLLIN.rawValue | EPOLLHUP.rawValue) != 0 { readiness.insert(.readable) }
    if bits & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
    if bits & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { readiness.insert(.failed) }
    self = readiness
  }

  var epollBits: UInt32 {
    var bits: UInt32 = 0
    if contains(.readable) { bits |= EPOLLIN.rawValue }
    if contains(.writable) { bits |= EPOLLOUT.rawValue }
    // epoll reports failures even to those who want nothing: edge-triggered, so that they come once and not for ever.
    return bits == 0 ? EPOLLET.rawValue : bits
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Limits on when incoming calls begin, so that a caller that sends many or long calls delays its own calls, not those
/// of other callers. For a service with long calls from callers that do not know each other.
public struct CallPacing: Hashable, Sendable {
  /// The maximum number of bytes of one caller's calls in progress; a single call may have more.
  public var mostOfOne = 1 << 20
  /// The maximum cost of the calls that begin in one turn of the loop: their bytes, the ``Bounds/work`` of their
  /// methods, and 2 KiB for each call.
  public var mostPerTurn = 256 << 10
  /// The time in which incoming bytes are counted.
  public var window: Duration = .milliseconds(50)
  /// If more bytes than these arrive in one window, messages arrive faster than calls are carried out, and
  /// ``mostPerWindow`` applies instead of ``mostPerTurn``.
  public var behind = 1 << 20
  /// The maximum cost of the calls that begin in one window while messages arrive too fast. Most of the time goes into
  /// reading then, because calls of other callers may be behind what has been sent.
  public var mostPerWindow = 256 << 10
  /// A call of at most so many bytes begins at once if its caller has no other call in progress.
  public var short = 4 << 10

  /// Creates the default limits. A quarter of a mebibyte of requests takes the center about 5 ms.
  public init() {}
}

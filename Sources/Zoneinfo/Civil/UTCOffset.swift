// SPDX-License-Identifier: Apache-2.0

/// How far a place's clocks are ahead of UTC: local time minus UTC, east positive.
public struct UTCOffset: Hashable, Sendable {
  private let stored: Int32

  /// Of UTC itself.
  public static let utc = UTCOffset(unchecked: 0)
  /// What RFC 9636 expects at most: a POSIX rule's 24:59:59 either way, and an hour of DST on top of it.
  public static let range = -89_999...93_599

  /// In seconds.
  public var seconds: Int { Int(stored) }

  /// Nil outside of ``range``.
  public init?(seconds: Int) {
    guard Self.range.contains(seconds) else { return nil }
    self.init(unchecked: seconds)
  }

  /// For seconds that were checked before.
  @inline(__always)
  init(unchecked seconds: Int) { stored = Int32(truncatingIfNeeded: seconds) }
}

extension UTCOffset: Comparable, CustomStringConvertible {
  /// Further west.
  public static func < (left: UTCOffset, right: UTCOffset) -> Bool { left.stored < right.stored }

  /// `+01:00`, or `+00:09:21` where there are seconds.
  public var description: String { CivilText.string { $0.append(self) } }
}

// SPDX-License-Identifier: Apache-2.0

/// Local time minus UTC, east positive.
public struct UTCOffset: Hashable, Sendable {
  private let stored: Int32

  /// The offset of UTC itself.
  public static let utc = UTCOffset(unchecked: 0)
  /// The range that RFC 9636 expects: a POSIX rule's ±24:59:59 plus an hour of DST.
  public static let range = -89_999...93_599

  /// The offset in seconds.
  public var seconds: Int { Int(stored) }

  /// Nil outside of ``range``.
  public init?(seconds: Int) {
    guard Self.range.contains(seconds) else { return nil }
    self.init(unchecked: seconds)
  }

  /// For a value that is already checked.
  @inline(__always)
  init(unchecked seconds: Int) { stored = Int32(truncatingIfNeeded: seconds) }
}

extension UTCOffset: Comparable, CustomStringConvertible {
  /// Whether the left offset is further west.
  public static func < (left: UTCOffset, right: UTCOffset) -> Bool { left.stored < right.stored }

  /// `+01:00`, or `+00:09:21` if there are seconds.
  public var description: String { CivilText.string { $0.append(self) } }
}

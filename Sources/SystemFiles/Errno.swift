// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The error number of a failed system call.
package struct Errno: Error, Hashable, RawRepresentable, CustomStringConvertible {
  /// The number, such as `ENOENT`.
  package let rawValue: Int32
  /// From a number.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The error of the call that has just failed.
  package static var current: Errno { Errno(rawValue: errno) }

  /// Whether a part of the path does not exist, or cannot exist.
  package var meansNoFile: Bool { rawValue == ENOENT || rawValue == ENOTDIR || rawValue == ENAMETOOLONG }

  /// The system's words, such as `No such file or directory`.
  package var description: String { String(cString: strerror(rawValue)) }
}

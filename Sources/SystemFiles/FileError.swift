// SPDX-License-Identifier: Apache-2.0

/// Why a file cannot be read or replaced.
package enum FileError: Error, Hashable, CustomStringConvertible {
  /// A system call failed.
  case system(Errno)
  /// The path leads to a folder, pipe, socket or device.
  case notRegular
  /// The file has more bytes than the caller accepts.
  case tooLarge(limit: Int)

  /// The reason, to follow a path and a colon.
  package var description: String {
    switch self {
    case .system(let error): error.description
    case .notRegular: "not a regular file"
    case .tooLarge(let limit): "longer than \(limit) bytes"
    }
  }
}

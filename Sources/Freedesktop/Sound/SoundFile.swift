// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// A file that may be played: regular and of limited size. A pipe would block a player for ever, and a device has no
/// end.
struct SoundFile {
  /// The maximum size in bytes.
  static let largest: Int64 = 50 << 20

  /// Absolute, so that no player takes it for an option.
  let path: String
  /// The extension, in lower case.
  let kind: String

  /// Nil if the file may not be played.
  init?(_ path: String) {
    guard path.hasPrefix("/"), !path.utf8.contains(0), let status = try? FileStatus(path), status.kind == .regular,
      status.size <= Self.largest, access(path, R_OK) == 0
    else { return nil }
    self.path = path
    let name = path.split(separator: "/").last ?? ""
    kind = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import SystemFiles

/// The URL schemes that the user lets clicks open, in addition to the usual ones: lines of the file `suzu/schemes` in
/// the configuration folder. A `#` starts a comment.
enum UserSchemes {
  static func read(_ path: String = Folders.settings + "/schemes") -> Set<String> {
    // A longer file is not a list that a person wrote.
    guard let bytes = try? RegularFile(path).read(atMost: 64 << 10) else { return [] }
    return SchemeList(String(decoding: bytes, as: UTF8.self)).schemes
  }
}

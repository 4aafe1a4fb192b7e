// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// The URL schemes that the user lets clicks open, in addition to the usual ones: lines of the file `suzu/schemes` in
/// the configuration folder. A `#` starts a comment.
enum UserSchemes {
  static func read(_ path: String = Folders.settings + "/schemes") -> Set<String> {
    // A longer file is not a list that a person wrote.
    guard let bytes = try? RegularFile(path).read(atMost: 64 << 10) else { return [] }
    let text = String(decoding: bytes, as: UTF8.self)
    return Set(
      text.split(whereSeparator: \.isNewline).compactMap { line in
        let word = line.prefix { $0 != "#" }.filter { $0 != " " && $0 != "\t" && $0 != ":" && $0 != "/" }
        return word.isEmpty ? nil : word.lowercased()
      })
  }
}

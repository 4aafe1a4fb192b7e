// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// The URL schemes that the user lets clicks open, besides the usual ones: lines of `suzu/schemes` in the folder of
/// settings. What stands behind a `#` is a remark.
enum UserSchemes {
  static func read(_ path: String = Folders.settings + "/schemes") -> Set<String> {
    // More than this is no list of schemes that a person wrote.
    guard let bytes = try? RegularFile(path).read(atMost: 64 << 10) else { return [] }
    let text = String(decoding: bytes, as: UTF8.self)
    return Set(
      text.split(whereSeparator: \.isNewline).compactMap { line in
        let word = line.prefix { $0 != "#" }.filter { $0 != " " && $0 != "\t" && $0 != ":" && $0 != "/" }
        return word.isEmpty ? nil : word.lowercased()
      })
  }
}

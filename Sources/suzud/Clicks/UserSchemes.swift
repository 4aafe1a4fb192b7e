// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The URL schemes that the user lets clicks open, besides the usual ones: lines of `suzu/schemes` in the folder of
/// settings. What stands behind a `#` is a remark.
enum UserSchemes {
  static func read(_ path: String = Folders.settings + "/schemes") -> Set<String> {
    guard let file = fopen(path, "re") else { return [] }
    defer { fclose(file) }
    // More than anybody writes by hand is no list of schemes.
    var bytes = [CChar](repeating: 0, count: 64 << 10)
    let count = fread(&bytes, 1, bytes.count - 1, file)
    let text = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return Set(
      text.split(whereSeparator: \.isNewline).compactMap { line in
        let word = line.prefix { $0 != "#" }.filter { $0 != " " && $0 != "\t" && $0 != ":" && $0 != "/" }
        return word.isEmpty ? nil : word.lowercased()
      })
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

extension ZoneDatabase {
  /// The release of the time zone data, such as `2025b`; nil if its list does not name one, or there is no list.
  public var version: String? { list.flatMap(Self.version) }

  /// A text that stays the same as long as all zones do: the release, a digest of the list, and the last changes of the
  /// folders.
  public var fingerprint: String {
    let list = list
    var listed = Digest()
    listed.add(list ?? [])
    var placed = Digest()
    addFolders(to: &placed, below: "")
    let numbers = [listed, placed].map { String($0.value, radix: 16) }
    return ([list.flatMap(Self.version) ?? "unknown"] + numbers).joined(separator: "-")
  }

  private var list: [UInt8]? { try? RegularFile.read(path(of: "tzdata.zi"), limit: 1 << 22) }

  /// Its first line is `# version 2025b`.
  private static func version(_ list: [UInt8]) -> String? {
    let line = list.prefix(64).prefix { $0 != UInt8(ascii: "\n") }
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    return words.count == 3 && words[0] == "#" && words[1] == "version" ? String(words[2]) : nil
  }

  private func addFolders(to digest: inout Digest, below prefix: String, depth: Int = 0) {
    let identity = FileIdentity(path: path(of: prefix))
    digest.add(prefix.utf8)
    digest.add(identity.state?.seconds ?? 0)
    digest.add(identity.state?.nanoseconds ?? 0)
    // No name is deeper than `America/Argentina/Ushuaia`.
    guard depth < 2 else { return }
    for name in entries(below: prefix).filter(\.isFolder).map(\.name).sorted() {
      addFolders(to: &digest, below: prefix + name + "/", depth: depth + 1)
    }
  }
}

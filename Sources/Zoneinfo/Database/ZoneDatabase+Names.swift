// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

extension ZoneDatabase {
  /// All names of zones, including aliases, in alphabetical order.
  ///
  /// Found by looking at the files: Debian's list also names zones that are in the package `tzdata-legacy`.
  public func names() -> [String] {
    var names: [String] = []
    collect(into: &names, below: "")
    return names.sorted()
  }

  /// Folders with the same zones, with and without leap seconds.
  private static let variants: Set<String> = ["posix", "right"]
  /// Files with a local setting, which are not places.
  private static let settings: Set<String> = ["localtime", "posixrules"]

  /// The depth is limited, because a link may lead to a folder above.
  private func collect(into names: inout [String], below prefix: String, depth: Int = 0) {
    guard depth < 4 else { return }
    for entry in entries(below: prefix) {
      if depth == 0, Self.variants.contains(entry.name) || Self.settings.contains(entry.name) { continue }
      if entry.isFolder {
        collect(into: &names, below: prefix + entry.name + "/", depth: depth + 1)
      } else if isZone(prefix + entry.name) {
        names.append(prefix + entry.name)
      }
    }
  }

  /// The entries of a folder that may be, or lead to, a zone.
  func entries(below prefix: String) -> [(name: String, isFolder: Bool)] {
    Folder(path(of: prefix)).entries().filter { Self.isValidName($0.name) }.map { entry in
      // A link may lead to a folder, and some file systems do not report the kind of an entry.
      (entry.name, entry.kind == .folder || entry.kind != .regular && isFolder(prefix + entry.name))
    }
  }

  /// The folder also contains lists and notes.
  private func isZone(_ name: String) -> Bool {
    guard let start = try? RegularFile(path(of: name)).read(atMost: 4) else { return false }
    return start.elementsEqual("TZif".utf8)
  }
}

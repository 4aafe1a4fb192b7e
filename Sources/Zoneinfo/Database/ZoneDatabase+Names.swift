// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

extension ZoneDatabase {
  /// All names under which a zone is found, aliases among them, in alphabetical order.
  ///
  /// The files themselves are counted: Debian leaves out of the folder (package `tzdata-legacy`) what its list names.
  public func names() -> [String] {
    var names: [String] = []
    collect(into: &names, below: "")
    return names.sorted()
  }

  /// The same zones in other clothes: with and without leap seconds.
  private static let variants: Set<String> = ["posix", "right"]
  /// A local setting, not a place.
  private static let settings: Set<String> = ["localtime", "posixrules"]

  /// Depth is limited, so that a link to a folder above cannot lead us in circles.
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

  /// What lies in a folder and may be, or lead to, a zone.
  func entries(below prefix: String) -> [(name: String, isFolder: Bool)] {
    Folder(path(of: prefix)).entries().filter { Self.isValidName($0.name) }.map { entry in
      // A link may lead to a folder, and not every file system lists the kind.
      (entry.name, entry.kind == .folder || entry.kind != .regular && isFolder(prefix + entry.name))
    }
  }

  /// Lists and notes lie in the folder as well.
  private func isZone(_ name: String) -> Bool {
    guard let start = try? RegularFile(path(of: name)).read(atMost: 4) else { return false }
    return start.elementsEqual("TZif".utf8)
  }
}

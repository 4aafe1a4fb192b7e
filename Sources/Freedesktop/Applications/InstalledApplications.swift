// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// The desktop entries of this machine and user. Nothing is cached: each query reads the current files.
public struct InstalledApplications: Sendable {
  /// The folders to search; the first one that has an entry wins.
  public let folders: [String]

  /// Searches the given folders.
  public init(folders: [String]) { self.folders = folders }

  /// Searches the folders of an environment, by the [Base Directory
  /// Specification](https://specifications.freedesktop.org/basedir-spec/latest/): relative paths are ignored.
  public init(environment: [String: String]) {
    func paths(_ name: String) -> [String]? {
      let paths = environment[name]?.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
      return paths?.isEmpty == false ? paths : nil
    }
    let home = paths("XDG_DATA_HOME")?.prefix(1) ?? paths("HOME")?.prefix(1).map { $0 + "/.local/share" }[...] ?? []
    let shared = paths("XDG_DATA_DIRS") ?? ["/usr/local/share", "/usr/share"]
    var folders: [String] = []
    for folder in home + shared where !folders.contains(folder + "/applications") {
      folders.append(folder + "/applications")
    }
    self.folders = folders
  }

  // MARK: One

  /// The id in a name such as `org.gnome.Foo.desktop`; nil if it cannot be an id, so that a name is never taken for a
  /// path.
  public static func id(of name: String) -> String? {
    let id = name.hasSuffix(".desktop") ? String(name.dropLast(8)) : name
    let isValid = id.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
    return isValid && !id.isEmpty && id.utf8.count <= 247 && !id.hasPrefix(".") && !id.contains("..") ? id : nil
  }

  /// The entry with that id, with or without `.desktop`; nil if there is none or it is hidden.
  public func entry(_ name: String) throws(DesktopEntryError) -> DesktopEntry? {
    guard let id = Self.id(of: name) else { return nil }
    for folder in folders {
      for path in Self.paths(of: id[...], in: folder) {
        guard let bytes = try EntryFile.bytes(of: path) else { continue }
        let entry = try DesktopEntry(bytes, path: path)
        return entry.isHidden ? nil : entry
      }
    }
    return nil
  }

  /// The possible paths of an entry: each dash may stand for an existing subfolder.
  private static func paths(of id: Substring, in folder: String) -> [String] {
    var paths = ["\(folder)/\(id).desktop"]
    for dash in id.indices where id[dash] == "-" {
      let name = id[..<dash]
      let rest = id[id.index(after: dash)...]
      guard !name.isEmpty, !name.hasPrefix("."), !rest.isEmpty, FileStatus.isFolder("\(folder)/\(name)") else {
        continue
      }
      paths += Self.paths(of: rest, in: "\(folder)/\(name)")
    }
    return paths
  }
}

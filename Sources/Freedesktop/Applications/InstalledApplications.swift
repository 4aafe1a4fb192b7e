// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The desktop entries of this machine and user. Nothing is kept: each question reads what is there now.
public struct InstalledApplications: Sendable {
  /// Where entries are looked for; the first folder that has one wins.
  public let folders: [String]

  /// Folders of your own.
  public init(folders: [String]) { self.folders = folders }

  /// Those of an environment, by the
  /// [Base Directory Specification](https://specifications.freedesktop.org/basedir-spec/latest/): what is not a whole
  /// path does not count.
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

  /// What `org.gnome.Foo.desktop` is short for; nil for what cannot be an id, and is never taken for a path.
  public static func id(of name: String) -> String? {
    let id = name.hasSuffix(".desktop") ? String(name.dropLast(8)) : name
    let isValid = id.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
    return isValid && !id.isEmpty && id.utf8.count <= 247 && !id.hasPrefix(".") && !id.contains("..") ? id : nil
  }

  /// The entry of that id, with `.desktop` at its end or without; nil where there is none, or it is hidden.
  public func entry(_ name: String) throws(DesktopEntryError) -> DesktopEntry? {
    guard let id = Self.id(of: name) else { return nil }
    for folder in folders {
      for path in Self.paths(of: id[...], in: folder) {
        guard let bytes = try RegularFile.read(path, limit: EntryFile.longest) else { continue }
        let entry = try DesktopEntry(bytes, path: path)
        return entry.isHidden ? nil : entry
      }
    }
    return nil
  }

  /// Where the entry may be: each dash may stand for a folder, if there is one of that name.
  private static func paths(of id: Substring, in folder: String) -> [String] {
    var paths = ["\(folder)/\(id).desktop"]
    for dash in id.indices where id[dash] == "-" {
      let name = id[..<dash]
      let rest = id[id.index(after: dash)...]
      guard !name.isEmpty, !name.hasPrefix("."), !rest.isEmpty, isFolder("\(folder)/\(name)") else { continue }
      paths += Self.paths(of: rest, in: "\(folder)/\(name)")
    }
    return paths
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

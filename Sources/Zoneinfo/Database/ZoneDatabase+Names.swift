// SPDX-License-Identifier: Apache-2.0
internal import Glibc
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

  /// Older and other names, and the one that each stands for: `Asia/Calcutta` is `Asia/Kolkata`.
  public func aliases() -> [String: String] {
    guard let text = try? RegularFile.read(path(of: "tzdata.zi"), limit: 1 << 22) else { return linkedAliases() }
    var aliases: [String: String] = [:]
    for line in text.split(separator: UInt8(ascii: "\n")) where line.first == UInt8(ascii: "L") {
      let words = line.split(separator: UInt8(ascii: " "))
      guard words.count == 3 else { continue }
      aliases[String(decoding: words[2], as: UTF8.self)] = String(decoding: words[1], as: UTF8.self)
    }
    return aliases
  }

  /// Without the list, symbolic links tell.
  private func linkedAliases() -> [String: String] {
    var aliases: [String: String] = [:]
    guard let root = realpath(folder) else { return aliases }
    for name in names() where FileIdentity(path: path(of: name)).linkTarget != nil {
      guard let target = realpath(path(of: name)), target.hasPrefix(root + "/") else { continue }
      aliases[name] = String(target.dropFirst(root.count + 1))
    }
    return aliases
  }

  private func realpath(_ path: String) -> String? {
    guard let resolved = Glibc.realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The same zones in other clothes: with and without leap seconds.
  private static let variants: Set<String> = ["posix", "right"]
  /// Somebody's setting, not a place.
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

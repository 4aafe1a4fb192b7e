// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// An application and the id of its entry.
public struct InstalledApplication: Hashable, Sendable {
  /// The id, without `.desktop`.
  public let id: String
  /// The desktop entry.
  public let entry: DesktopEntry
}

extension InstalledApplications {
  /// The applications shown in a menu: launchable, not hidden, and for this desktop.
  ///
  /// `environment` provides the program search path and the current desktop (`XDG_CURRENT_DESKTOP`).
  public func shown(environment: [String: String]) -> [InstalledApplication] {
    let desktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").split(separator: ":").map(String.init)
    let programs = ProgramSearch(path: environment["PATH"])
    var shown: [InstalledApplication] = []
    forEachFile { id, path in
      guard let bytes = try? EntryFile.bytes(of: path),
        let entry = try? DesktopEntry(bytes, path: path), entry.isApplication, !entry.isHidden, !entry.isNotDisplayed,
        entry.isShown(in: desktops), entry.isWhole(with: programs)
      else { return }
      shown.append(InstalledApplication(id: id, entry: entry))
    }
    return shown
  }

  /// Visits one file for each id: the first one counts, even if it is empty or malformed.
  private func forEachFile(_ body: (_ id: String, _ path: String) -> Void) {
    var seen: Set<String> = []
    for folder in folders {
      var walk = EntryWalk()
      walk.visit(folder) { id, path in
        if seen.insert(id).inserted { body(id, path) }
      }
    }
  }

  /// The URL schemes that installed applications declare, in lower case.
  ///
  /// Reads all entries, which takes 4 to 6 ms for 300 of them. The cache of `update-desktop-database` would save most
  /// of that, but ignores hidden entries and often lacks the user's own ones.
  public func declaredSchemes() -> Set<String> {
    var schemes: Set<String> = []
    forEachFile { _, path in
      guard let bytes = try? EntryFile.bytes(of: path), Self.mentionsSchemes(bytes),
        let entry = try? DesktopEntry(bytes, path: path), entry.isApplication, !entry.isHidden
      else { return }
      schemes.formUnion(entry.schemes)
    }
    return schemes
  }

  /// A quick search that avoids parsing the many entries without a scheme.
  private static func mentionsSchemes(_ bytes: [UInt8]) -> Bool {
    let (needle, count) = (Array("-handler/".utf8), 9)
    return bytes.withUnsafeBytes { bytes in
      var start = bytes.baseAddress
      var left = bytes.count
      while let from = start, let found = memchr(from, Int32(UInt8(ascii: "/")), left) {
        let offset = UnsafeRawPointer(found) - (bytes.baseAddress ?? from) + 1
        if offset >= count, memcmp(found + 1 - count, needle, count) == 0 { return true }
        start = UnsafeRawPointer(found) + 1
        left = bytes.count - offset
      }
      return false
    }
  }
}

extension DesktopEntry {
  /// Whether the programs that the entry names are installed. An entry without a command line must be on the bus.
  fileprivate func isWhole(with programs: ProgramSearch) -> Bool {
    if let tryExec, !tryExec.isEmpty, programs.path(of: tryExec) == nil { return false }
    guard let exec, !exec.isEmpty else { return isBusActivatable }
    guard let program = try? ExecLine(exec).program else { return false }
    return programs.path(of: program) != nil
  }
}

/// Walks through a folder of entries and its subfolders.
private struct EntryWalk {
  /// The maximum number of files and folders visited.
  private static let most = 20_000
  private var left = most
  /// Device and inode numbers, to detect links that lead back.
  private var visited: Set<[UInt64]> = []

  mutating func visit(_ folder: String, prefix: String = "", _ body: (_ id: String, _ path: String) -> Void) {
    guard let status = try? FileStatus(folder), visited.insert([status.device, status.inode]).inserted else { return }
    let entries = Folder(folder).entries(atMost: left)
    left -= entries.count
    for entry in entries where !entry.name.hasPrefix(".") {
      let name = entry.name
      if name.hasSuffix(".desktop") {
        body(prefix + name.dropLast(8), "\(folder)/\(name)")
      } else if entry.kind == .folder || entry.kind == .link || entry.kind == nil {
        visit("\(folder)/\(name)", prefix: "\(prefix)\(name)-", body)
      }
    }
  }
}

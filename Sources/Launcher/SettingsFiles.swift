// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import SystemFiles

/// The user's settings in `$XDG_CONFIG_HOME/suzu`; users may edit the files by hand.
package struct SettingsFiles: Hashable, Sendable {
  /// The folder.
  package let path: String

  /// Returns nil if the environment names neither a home nor a folder for settings.
  package init?(environment: [String: String]) {
    func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    guard let config = folder("XDG_CONFIG_HOME") ?? folder("HOME").map({ $0 + "/.config" }) else { return nil }
    path = config + "/suzu"
  }

  package func path(of name: String) -> String { "\(path)/\(name)" }

  /// The file's content; nil if it does not exist.
  package func read(_ name: String) throws(FileError) -> [UInt8]? {
    do throws(FileError) { return try RegularFile.read(path(of: name), limit: 1 << 20) } catch {
      if case .system(let error) = error, error.meansNoFile { return nil }
      throw error
    }
  }

  /// Replaces the file's content atomically.
  package func write(_ text: String, to name: String) throws(FileError) {
    try AtomicFile(path(of: name)).write(text.utf8)
  }

  /// Waits for the lock of the folder, which is held until the result is released: two processes must not overwrite
  /// each other's changes.
  package func lock() throws(UnwritableFolder) -> FolderLock {
    try make()
    return try FolderLock(path)
  }

  private func make() throws(UnwritableFolder) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      guard mkdir(made, 0o700) == 0 || errno == EEXIST || access(made, F_OK) == 0 else {
        throw UnwritableFolder(path: made, reason: "\(Errno.current)")
      }
    }
  }
}

/// A folder that cannot be made or locked.
package struct UnwritableFolder: Error, Hashable {
  package let path: String
  package let reason: String
}

/// The lock of a folder, for as long as the value lives.
package final class FolderLock {
  private let folder: Descriptor

  fileprivate init(_ path: String) throws(UnwritableFolder) {
    do throws(Errno) { folder = try Descriptor(path, O_RDONLY | O_DIRECTORY) } catch {
      throw UnwritableFolder(path: path, reason: "\(error)")
    }
    while flock(folder.number, LOCK_EX) != 0 {
      guard errno == EINTR else { throw UnwritableFolder(path: path, reason: "\(Errno.current)") }
    }
  }
}

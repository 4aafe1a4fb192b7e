// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

extension EntryFile {
  /// The file's bytes; nil if there is no such file. A file inside an inaccessible folder, such as another user's, also
  /// counts as missing.
  static func bytes(of path: String) throws(DesktopEntryError) -> [UInt8]? {
    do throws(FileError) { return try RegularFile.read(path, limit: longest) } catch {
      switch error {
      case .system(let system):
        if system.meansNoFile || (try? FileStatus(path, followingLinks: false)) == nil { return nil }
        throw DesktopEntryError(.unreadable, "\(system)", path: path)
      case .notRegular: throw DesktopEntryError(.unreadable, "\(error)", path: path)
      case .tooLarge: throw DesktopEntryError(.tooLarge, "\(error)", path: path)
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A folder at a path.
package struct Folder: Hashable, Sendable {
  /// A name in a folder.
  package struct Entry: Hashable, Sendable {
    /// The name alone.
    package let name: String
    /// The kind of the file; nil on file systems that do not list it.
    package let kind: FileStatus.Kind?
  }

  /// The path.
  package let path: String
  /// The folder at a path, which need not exist.
  package init(_ path: String) { self.path = path }

  /// The entries in no particular order, without `.` and `..`; empty if the folder cannot be read.
  package func entries(atMost limit: Int = .max) -> [Entry] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var entries: [Entry] = []
    while entries.count < limit, let item = readdir(stream) {
      // d_name is an array in C and a tuple in Swift: its address is that of the text, which ends with a zero.
      let name = withUnsafePointer(to: &item.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      let kind: FileStatus.Kind? =
        switch Int(item.pointee.d_type) {
        case Int(DT_REG): .regular
        case Int(DT_DIR): .folder
        case Int(DT_LNK): .link
        case Int(DT_UNKNOWN): nil
        default: .other
        }
      entries.append(Entry(name: name, kind: kind))
    }
    return entries
  }

  /// Writes the list of names to the disk, so that new and renamed files survive a loss of power.
  package func sync() throws(Errno) {
    let descriptor = try Descriptor(path, O_RDONLY | O_DIRECTORY)
    // Some file systems cannot sync a folder, and answer EINVAL.
    guard fsync(descriptor.number) == 0 || errno == EINVAL else { throw .current }
  }

  /// The folder that holds the file at `path`.
  package static func parent(of path: String) -> Folder {
    guard let slash = path.lastIndex(of: "/") else { return Folder(".") }
    return Folder(slash == path.startIndex ? "/" : String(path[..<slash]))
  }
}
